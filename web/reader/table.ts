/** Reads column tables: a module of its own, because it has a Parquet reader. @module */
import { bytesEqual, hexBytes } from "../../data/format/bytes.ts";
import { TABLE_CHECK_BYTES, TABLE_METADATA, tableFileColumns } from "../../data/format/column-tables.ts";
import { requirePageSums } from "../../data/format/index-sums.ts";
import type { Manifest, ManifestCollection, TableNode } from "../../data/format/manifest.ts";
import { tableFilePath } from "../../data/format/paths.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { TABLE_FACETS, type TableFacet } from "../../data/format/table-facets.ts";
import {
  isWithin,
  joinChunks,
  mayHoldWanted,
  readChecks,
  type TableChunk,
  type TableGroup,
  type WantedTableRows,
} from "../../data/format/table-reads.ts";
import { fromUtf8 } from "../../data/format/utf8.ts";
import { createIndexCheck } from "../../data/format/walk-index.ts";
import { openTableFile, readParquetRows } from "../../data/parquet/index.ts";
import { readManifest, requireNodes } from "./check.ts";
import { CairnError, named } from "./error.ts";
import { openFiles } from "./files.ts";
import { httpFiles } from "./http.ts";
import { type Collection, nodesOf } from "./index-tree.ts";
import type { OpenOptions, ReadBytes, Row } from "./types.ts";

/** Conditions on the rows of a table, all of which must hold, and the columns to read. */
export interface TableQuestion {
  /** A value of the column that the table is sorted by, such as `cafe`. A row with several values is found by each. */
  readonly value: string;
  /** ISO 3166-1 alpha-2 codes. Default: all countries. */
  readonly country?: string | readonly string[] | undefined;
  /** Columns to read, besides `id`, `geometry` and `country`. Default: all columns of the table. */
  readonly columns?: readonly string[] | undefined;
}

/** A column table: the rows of a collection as Parquet, sorted by a facet, to read a few columns of many rows. */
export interface ColumnTable {
  readonly release: string;
  /** The facet that the table is sorted by: `category`, `class` or `subtype`. */
  readonly sortedBy: TableFacet;
  /** Columns of the table besides `id`, `geometry` and `country`. */
  readonly columns: readonly string[];
  /**
   * Yields the matching rows, some at a time, by country and id. Yields nothing for an unknown value. Throws `CairnError` for an
   * unknown column or country, and when a file is missing or damaged.
   */
  read(question: TableQuestion): AsyncGenerator<Row[]>;
}

/**
 * Opens the column table of the collection `name`. `source` is the dataset's URL, or a function that reads its files. Caches
 * nothing unless `cacheBytes` is set. Rejects with `CairnError` if the manifest cannot be read, or if there is no such collection
 * or table.
 */
export async function openTable(
  source: string | URL | ReadBytes,
  name: string,
  { fetch, cacheBytes = 0 }: Pick<OpenOptions, "fetch" | "cacheBytes"> = {},
): Promise<ColumnTable> {
  const readBytes = typeof source === "function" ? source : httpFiles(String(source), fetch);
  const files = openFiles(readBytes, cacheBytes);
  const bytes = await files.manifest();
  const manifest = await named("manifest.json", () => readManifest(bytes));
  if (!Object.hasOwn(manifest.collections, name))
    throw new CairnError(`no collection ${name}, expected one of ${Object.keys(manifest.collections).join(", ")}`);
  const about = manifest.collections[name] as ManifestCollection;
  // the check of the manifest leaves out runs that other modules do not read
  const raw = JSON.parse(fromUtf8(bytes)) as Manifest;
  const { table, runs } = raw.collections[name] ?? {};
  if (!table || !runs?.table)
    throw new CairnError(`${name} has no column table: build the dataset with --tables ${name}`);
  await named("manifest.json", () => {
    if (!TABLE_FACETS.includes(table.facet) || !Array.isArray(table.columns))
      throw new Error(`table of ${name} is ${JSON.stringify(table)}`);
    requireNodes(runs.table?.nodes);
  });
  const collection: Collection = {
    name,
    manifest,
    about: { ...about, runs: { ...about.runs, table: runs.table } },
    files,
    check: createIndexCheck(runs.table.nodes, requirePageSums),
  };
  const key = table.facet;
  const known = tableFileColumns(table);

  async function* read({ value, country, columns = table?.columns ?? [] }: TableQuestion): AsyncGenerator<Row[]> {
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined)
      throw new CairnError(`the table of ${name} has no column ${unknown}, expected some of ${known.join(", ")}`);
    const wanted: WantedTableRows = {
      values: [value],
      countries: country === undefined ? undefined : [country].flat(),
    };
    const unlisted = wanted.countries?.find((code) => !Object.hasOwn(about.countries, code));
    if (unlisted !== undefined)
      throw new CairnError(
        `${name} has no country ${unlisted}, expected one of ${Object.keys(about.countries).join(", ")}`,
      );
    const chosen = known.filter((column) => [key, "country", "id", "geometry", ...columns].includes(column));
    const isWanted = (row: Row): boolean =>
      row[key] === value && (wanted.countries?.includes(String(row.country)) ?? true);
    const nodes = await nodesOf(collection, "table", (node) => mayHoldWanted(node, wanted));
    for (const node of nodes) {
      for await (const rows of rowsOfFile(node, { wanted, chosen })) {
        const own = rows.filter(isWanted);
        if (!columns.includes(key)) for (const row of own) delete (row as Record<string, unknown>)[key];
        if (own.length > 0) yield own;
      }
    }
  }

  async function* rowsOfFile(
    node: TableNode,
    { wanted, chosen }: { wanted: WantedTableRows; chosen: readonly string[] },
  ): AsyncGenerator<Row[]> {
    const path = tableFilePath(name, node.pack);
    const size = node.footer.bytes;
    const slice = { sha256: node.footer.sha256, bytes: size, offset: node.bytes - size };
    const [opened] = await files.slices([{ path, slice }], (footer) => {
      const file = openTableFile(footer, node.bytes);
      if (file.rows !== node.rows) throw new Error(`it has ${file.rows} rows, expected ${node.rows}`);
      const { checks } = JSON.parse(file.value(TABLE_METADATA) ?? "{}") as { checks?: unknown };
      return { file, checks: readChecks(String(checks), file.chunks) };
    });
    if (!opened) return;
    const { file, checks } = opened;
    const groups = file.groups.filter(
      (group) => isWithin(group.bounds(key), wanted.values) && isWithin(group.bounds("country"), wanted.countries),
    );
    const ranges = joinChunks(groups.flatMap((group) => group.chunks(chosen)));
    const held = new Map<number, Uint8Array>();
    let next = 0;
    for (const group of groups) {
      const own = group.chunks(chosen);
      while (own.some(({ index }) => !held.has(index))) {
        const range = ranges[next++];
        if (!range) throw new CairnError(`${path} has a column chunk outside of all ranges`);
        const read = await named(path, () => readBytes(path, range.start, range.end - range.start));
        for (const chunk of range.chunks) {
          const bytes = read.subarray(chunk.start - range.start, chunk.end - range.start);
          await requireCheck(path, bytes, chunk, checks);
          held.set(chunk.index, bytes);
        }
      }
      yield await named(path, () => decode(group, chosen, held));
      for (const { index } of own) held.delete(index);
    }
  }

  return { release: manifest.release, sortedBy: table.facet, columns: table.columns, read };
}

async function requireCheck(
  path: string,
  bytes: Uint8Array,
  { index, start, end }: TableChunk,
  checks: readonly Uint8Array[],
): Promise<void> {
  const hash = await sha256Of(bytes.length === end - start ? bytes.slice() : new Uint8Array());
  const head = hexBytes(hash).subarray(0, TABLE_CHECK_BYTES);
  if (!bytesEqual(head, checks[index] ?? new Uint8Array()))
    throw new CairnError(`${path} has a missing or damaged column chunk at byte ${start}`);
}

async function decode(
  group: TableGroup,
  columns: readonly string[],
  held: ReadonlyMap<number, Uint8Array>,
): Promise<Row[]> {
  const rows = (await readParquetRows(
    group.file(columns, ({ index }) => held.get(index) ?? new Uint8Array()),
  )) as Row[];
  if (rows.length !== group.rows) throw new Error(`a row group has ${rows.length} rows, expected ${group.rows}`);
  return rows.map((row) => withoutNulls(row) as Row);
}

/** Returns the value without the null members of its objects. Lists keep null items. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value ?? null;
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}
