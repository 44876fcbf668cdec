/** Rows by id. @module */
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { readTable } from "../../data/format/tables.ts";
import { toUtf8 } from "../../data/format/utf8.ts";
import { CairnError } from "./error.ts";
import { type Collection, inPack } from "./index-tree.ts";
import { readRecords } from "./records.ts";
import { termNodes } from "./terms.ts";
import type { Row } from "./types.ts";

/**
 * Returns the row with this id; undefined if there is none. Throws `CairnError` if the collection has no index of ids, or if a
 * file is damaged.
 */
export async function findRow(collection: Collection, id: string): Promise<Row | undefined> {
  if (!collection.about.runs.find) throw new CairnError(`${collection.name} has no index of ids`);
  const key = Number.parseInt((await sha256Of(toUtf8(id))).slice(0, 8), 16);
  const spelled = spellKey(key);
  const nodes = await termNodes(collection, "find", ALL_COUNTRIES, spelled, spelled);
  const addresses: number[] = [];
  for (const node of nodes) {
    const [table] = await collection.files.slices([inPack(collection, "find", node)], (slice) =>
      readTable(slice, ["gap", "address"], node.rows),
    );
    let at = 0;
    for (const [index, gap] of (table?.gap ?? []).entries()) {
      at += Number(gap);
      if (at === key) addresses.push(Number(table?.address?.[index]));
    }
  }
  const rows = await readRecords(
    collection,
    addresses.map((address) => ({ address })),
  );
  return rows.find((row) => row.id === id);
}
