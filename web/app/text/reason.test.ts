import { expect, test } from "vitest";
import { reasonOf } from "./reason.ts";

test("a host that does not answer is described in words, without a file name", () => {
  const error = new Error("place/1a2b.parquet cannot be fetched from http://127.0.0.1/: Failed to fetch");
  expect(reasonOf(Object.assign(error, { isUnanswered: true }))).toBe("the map data’s host does not answer");
  expect(reasonOf(new Error("the browser grants no room"))).toBe("the browser grants no room");
  expect(reasonOf("odd")).toBe("odd");
});
