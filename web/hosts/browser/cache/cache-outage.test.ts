import { expect, test } from "vitest";
import { FetchError } from "../../../engine/errors.ts";
import type { ByteSource } from "../../../engine/ports.ts";
import { outageAware } from "./cache-outage.ts";

test("while nobody answers files are tried once, and again with patience after an answer or a moment", async () => {
  let isUp = false;
  let nowMs = 0;
  const tried: string[] = [];
  const named = (name: string): ByteSource => ({
    name,
    async read(path) {
      tried.push(name);
      if (isUp) return new Uint8Array();
      throw new FetchError("nobody answers", { path, cause: new TypeError() });
    },
  });
  const source = outageAware(named("patient"), named("hasty"), () => nowMs);
  await expect(source.read("a")).rejects.toThrow("nobody answers");
  await expect(source.read("b")).rejects.toThrow("nobody answers");
  isUp = true;
  await source.read("c");
  await source.read("d");
  isUp = false;
  await expect(source.read("e")).rejects.toThrow("nobody answers");
  nowMs = 10_000;
  await expect(source.read("f")).rejects.toThrow("nobody answers");
  expect(tried).toEqual(["patient", "hasty", "hasty", "patient", "patient", "patient"]);
});

test("a host that answers with an error is not taken for gone", async () => {
  const tried: string[] = [];
  const refusing = (name: string): ByteSource => ({
    name,
    async read(path) {
      tried.push(name);
      throw new FetchError("not found", { path, status: 404 });
    },
  });
  const source = outageAware(refusing("patient"), refusing("hasty"));
  for (const path of ["a", "b"]) await expect(source.read(path)).rejects.toThrow("not found");
  expect(tried).toEqual(["patient", "patient"]);
});
