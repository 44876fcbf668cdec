import { afterEach, expect, test, vi } from "vitest";
import { httpSource } from "./http-source.ts";
import { createPackMemory } from "./pack-memory.ts";

const BASE = "https://host.example/dataset/";
afterEach(() => vi.unstubAllGlobals());

function told(...entries: { readonly name: string; readonly nextHopProtocol: string }[]): void {
  vi.stubGlobal("performance", { getEntriesByType: () => entries });
}

test("a request is expensive over HTTP/1.1, cheap over HTTP/2 or if unknown, and costs a pack where packs are fetched whole", () => {
  const packs = createPackMemory();
  const source = httpSource(BASE, { packs });
  told({ name: "https://other.example/", nextHopProtocol: "http/1.1" }, { name: `${BASE}a`, nextHopProtocol: "" });
  expect(source.requestBytes?.()).toBe(1024);
  told({ name: `${BASE}manifest.json`, nextHopProtocol: "http/1.1" });
  expect(source.requestBytes?.()).toBe(20 * 1024);
  told({ name: `${BASE}manifest.json`, nextHopProtocol: "h2" });
  expect(httpSource(BASE).requestBytes?.()).toBe(1024);
  packs.answers = "whole";
  expect(source.requestBytes?.()).toBe(4 * 1024 * 1024);
});
