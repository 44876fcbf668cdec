/**
 * Checks that location packs (files with the rows of a country) are GeoParquet, and that each of their slices is a
 * GeoParquet file of the same rows.
 * @module
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileMetaData } from "hyparquet";
import type { Collection } from "../../../data/format/collections.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { type Database, quoteIdentifier, quotePath } from "../../base/database/index.ts";
import { cairnFault, differenceOf, entriesOf, readFooter, spellGroup, spellSchema } from "./footers.ts";
import { checksOf, expectedGot } from "./ledger.ts";
import { nameSlice, type TablePack } from "./slice-table.ts";
import type { Verified } from "./verified.ts";

/** Rows of a row group. The last one of a slice may have fewer. */
const ROW_GROUP_ROWS = 2048;

/** Uncompressed bytes of a slice at most. Readers refuse more. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024;

/** A location pack that can be read, with its GeoParquet metadata and its slices. */
export interface LocationPack {
  readonly path: string;
  readonly geo: readonly string[];
  readonly slices: readonly LocationSlice[];
}

/** A slice with its rows in the pack, `start` to `end` (exclusive). */
interface LocationSlice {
  readonly slice: number;
  readonly start: number;
  readonly end: number;
  readonly geo: readonly string[];
}

/**
 * Checks the location packs of these countries and yields those that can be read. Others have a fault in the ledger.
 */
export async function* checkLocationPacks(
  verified: Verified,
  countries: ReadonlySet<string>,
): AsyncGenerator<LocationPack> {
  const { sliceTable } = verified;
  const schemas = new Map<string, string | undefined>();
  for await (const pack of sliceTable.packs({ kind: "location", countries })) {
    if (!pack.slices.every(({ slice }) => sliceTable.isSound(slice))) continue;
    const { say } = checksOf(verified, pack.path);
    try {
      const found = await checkPack(verified, pack, schemas);
      if (found) yield found;
    } catch (error) {
      say("columns", false, () => `cannot be read: ${firstLineOf(error)}`);
    }
  }
}

async function checkPack(
  verified: Verified,
  pack: TablePack,
  schemas: Map<string, string | undefined>,
): Promise<LocationPack | undefined> {
  const { database, dataset, name, sliceTable } = verified;
  const file = join(dataset, pack.path);
  const country = /\/country=([^/]*)\//.exec(pack.path)?.[1] ?? "";
  const joint = await readFooter({ file, start: 0, end: (await stat(file)).size });
  const { say } = checksOf(verified, pack.path);
  const groups: string[][] = [];
  const slices: LocationSlice[] = [];
  let rows = 0;
  for (const entry of pack.slices) {
    const { offset, bytes } = entry;
    const ofSlice = checksOf(verified, nameSlice(entry));
    const own = await readFooter({ file, start: offset, end: offset + bytes }).catch((error: unknown) => {
      ofSlice.say("columns", false, () => `cannot be read: ${firstLineOf(error)}`);
      sliceTable.spoil(entry.slice);
      return undefined;
    });
    if (!own) continue;
    checkGroups(own, ofSlice);
    ofSlice.say("columns", spellSchema(own) === spellSchema(joint), () => "its schema is not that of the pack");
    const fault = cairnFault(entriesOf(own, "cairn"), name, country);
    ofSlice.say("metadata", fault === undefined, () => `${fault}`);
    for (const group of own.row_groups) groups.push(spellGroup(group, offset));
    const end = rows + Number(own.num_rows);
    slices.push({ slice: entry.slice, start: rows, end, geo: entriesOf(own, "geo") });
    rows = end;
  }
  if (slices.length < pack.slices.length) return undefined;
  const fault = cairnFault(entriesOf(joint, "cairn"), name, country);
  say("metadata", fault === undefined, () => `${fault}`);
  const different = jointFault(groups, joint);
  const isSame = say("row groups", different === undefined, () => `${different}`);
  const schema = spellSchema(joint);
  if (!schemas.has(schema)) schemas.set(schema, await schemaFault(database, verified.collection, file));
  const schemaWrong = schemas.get(schema);
  if (!say("columns", schemaWrong === undefined, () => `${schemaWrong}`) || !isSame) return undefined;
  return { path: pack.path, geo: entriesOf(joint, "geo"), slices };
}

/**
 * Returns the first difference between the row groups of slices, with offsets in the pack, and those of the pack's
 * footer.
 */
function jointFault(groups: readonly (readonly string[])[], joint: FileMetaData): string | undefined {
  const got = joint.row_groups.map((group) => spellGroup(group, 0));
  const rows = joint.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  if (groups.length !== got.length || rows !== joint.num_rows) {
    return `its joint footer names ${got.length} row groups of ${joint.num_rows} rows, its slices have ${groups.length}`;
  }
  for (const [group, expected] of groups.entries()) {
    const at = expected.findIndex((text, i) => text !== got[group]?.[i]);
    if (at >= 0)
      return `its joint footer differs in row group ${group}, ${differenceOf(expected[at], got[group]?.[at])}`;
  }
  return undefined;
}

function checkGroups({ row_groups, num_rows }: FileMetaData, { say, same }: ReturnType<typeof checksOf>): void {
  const total = Number(num_rows);
  const expected = Array.from({ length: Math.ceil(total / ROW_GROUP_ROWS) }, (_, i) =>
    Math.min(ROW_GROUP_ROWS, total - i * ROW_GROUP_ROWS),
  );
  const got = row_groups.map((group) => Number(group.num_rows));
  same("row groups", "rows of its row groups", expected, got);
  const codecs = new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec)));
  same("row groups", "codecs", ["ZSTD"], [...codecs]);
  const decoded = row_groups.reduce((sum, { total_byte_size }) => sum + Number(total_byte_size), 0);
  say("row groups", decoded <= MAX_DECODED_BYTES, () => `${decoded} bytes uncompressed, more than readers take`);
}

/**
 * Returns the first column that differs from the collection's columns. One file stands for all with the same schema.
 */
async function schemaFault(database: Database, collection: Collection, file: string): Promise<string | undefined> {
  const spelled = async (sql: string) => (await database.columns(sql)).map(({ name, type }) => `${name} ${type}`);
  const nulls = collection.columns.map(
    ({ name, type }) => `NULL::${type === "GEOMETRY" ? "BLOB" : type} AS ${quoteIdentifier(name)}`,
  );
  const expected = await spelled(`SELECT ${nulls.join(", ")}`);
  const got = await spelled(`SELECT * FROM read_parquet(${quotePath(file)}, hive_partitioning = false)`);
  const at = Array.from({ length: Math.max(expected.length, got.length) }, (_, i) => i).find(
    (i) => expected[i] !== got[i],
  );
  return at === undefined ? undefined : `column ${at + 1} ${expectedGot(expected[at] ?? "none", got[at] ?? "none")}`;
}
