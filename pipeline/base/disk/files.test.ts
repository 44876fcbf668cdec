import { expect, test } from "vitest";
import { allEnded } from "./files.ts";

test("results are in the order of the items", async () => {
  const late = new Promise<string>((resolve) => setTimeout(resolve, 5, "late"));
  expect(await allEnded([late, Promise.resolve("early")])).toEqual(["late", "early"]);
});

test("a failure is reported after all others have ended", async () => {
  let hasEnded = false;
  const late = new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
    hasEnded = true;
  });
  await expect(allEnded([Promise.reject(new Error("no room")), late])).rejects.toThrow("no room");
  expect(hasEnded).toBe(true);
});
