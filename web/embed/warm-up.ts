/** Runs a search while the first request waits for the network. @module */
import { toUtf8 } from "../../data/format/utf8.ts";
import { openDataset } from "../engine/index.ts";
import { createCairn } from "./cairn.ts";
import type { SearchPage } from "./types.ts";
import manifest from "./warm-up.json" with { type: "json" };

let hasStarted = false;

/**
 * Searches the built-in table, once in a program. Browsers compile functions when they first run. The first search of the
 * caller does not wait for that.
 */
export function warmUp(): void {
  if (hasStarted) return;
  hasStarted = true;
  searchBuiltIn().catch(() => {});
}

/** Searches the built-in table of four rows, as a caller searches a small table. */
export async function searchBuiltIn(): Promise<SearchPage> {
  const source = { name: "the built-in table", read: async () => toUtf8(manifest) };
  const decode = (): never => {
    throw new Error(`${source.name} has no Parquet file`);
  };
  const cairn = createCairn({ location: source.name, dataset: openDataset({ source, decode }) });
  return cairn.search("warm_up", { lat: 1, lng: 2, radius: 20_015_086, limit: 25 });
}
