import { expect, test } from "vitest";
import { REQUEST_BYTES } from "../../engine/index.ts";
import { httpSource } from "./http-source.ts";
import { createPackMemory } from "./pack-memory.ts";

test("a request costs as much as a pack where the host sends whole packs", () => {
  const packs = createPackMemory();
  const source = httpSource("https://host.example/dataset/", { packs });
  expect(source.requestBytes?.()).toBe(REQUEST_BYTES);
  packs.answers = "whole";
  expect(source.requestBytes?.()).toBe(4 * 1024 * 1024);
});
