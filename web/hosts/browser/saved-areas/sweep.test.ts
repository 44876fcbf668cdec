import { expect, test } from "vitest";
import { parseManifest } from "../../../../data/format/manifest.ts";
import { tangledIndex } from "../../../engine/testing/tangled-index.ts";
import { sweep } from "./sweep.ts";

test("ends where pages name each other's children, and removes what no page names", async () => {
  const index = tangledIndex({ width: 3, depth: 12 });
  const kept = new Map([...index, ["place/_id/country=AA/0123456789abcdef.parquet", new Uint8Array(1)]]);
  const removed: string[] = [];
  const files = {
    has: async (path: string) => kept.has(path),
    read: async (path: string) => kept.get(path),
    write: async () => {},
    remove: async (path: string) => void removed.push(path),
    paths: async () => [...kept.keys()],
  };
  const areas = { areas: async () => [] };
  const locks = { alone: <T>(work: () => Promise<T>) => work() };
  const manifest = parseManifest(JSON.parse(new TextDecoder().decode(index.get("manifest.json"))));
  const gone = await sweep(manifest, { files, areas, locks } as unknown as Parameters<typeof sweep>[1]);
  expect(gone).toEqual(["place/_id/country=AA/0123456789abcdef.parquet"]);
  expect(removed).toEqual(gone);
});
