/**
 * Reads rows of a column table in the order of ids. Small units are read first, and merged with the row groups of large
 * ones as these arrive. So few row groups are in memory at a time.
 * @module
 */
import type { Table } from "apache-arrow";
import { bytesEqual } from "../../../data/format/bytes.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { TABLE_CHECK_BYTES, TABLE_METADATA, type TableMetadata } from "../../../data/format/column-tables.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { tableFilePath } from "../../../data/format/paths.ts";
import {
  isWithin,
  joinChunks,
  mayHoldWanted,
  readChecks,
  type TableChunk,
  type TableGroup,
} from "../../../data/format/table-reads.ts";
import { DecodeError, FetchError } from "../contract/errors.ts";
import type { ByteSource, DecodeTableRows, OpenTableFile } from "../contract/ports.ts";
import { readChecked, readSlice } from "../index-tree/files.ts";
import { findPartitions, type PartitionRef } from "../index-tree/tree.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { isEmpty, testRows } from "../terms/filter.ts";
import { columnsOfArrow, columnsOfRows, unitsOf } from "./group-rows.ts";
import { type TableQuery, type WantedTable, wantedTable } from "./wanted.ts";

interface PlannerOptions {
  /** Decodes row groups. Default: the Parquet reader of the host. */
  readonly decodeRows?: DecodeTableRows | undefined;
  /** Limit on the rows in memory at a time, in bytes of uncompressed columns. Above it the planner returns undefined. */
  readonly mostBytes?: number | undefined;
}

interface TableTools extends PlannerOptions {
  readonly source: ByteSource;
  readonly openTable: OpenTableFile;
  readonly decode: (file: Uint8Array) => Table | Promise<Table>;
}

/**
 * Plans to read rows from a column table. Reads its index and footers. Undefined if the collection has no table that can answer
 * the query.
 */
export type PlanTable = (
  session: Session,
  query: TableQuery,
  tools: Pick<TableTools, "source" | "decode">,
) => Promise<TableRows | undefined>;

/** Returns the planner of a host that can open files of column tables with `openTable`. */
export function tablePlanner(openTable: OpenTableFile, options: PlannerOptions = {}): PlanTable {
  return (session, query, tools) => planTable(session, query, { ...options, ...tools, openTable });
}

/** The rows that a table has for a query, not read yet. */
export interface TableRows {
  readonly release: string;
  /** Number of rows in the row groups to read, some of which may not match. */
  readonly mostRows: number;
  /** Bytes that the rows take, without footers and index pages, which were read; `requests` is the number of requests. */
  readonly bytes: number;
  readonly requests: number;
  /** Yields all rows in the order of ids, some at a time. Throws `FetchError` when bytes are missing or damaged. */
  readonly pages: (signal?: AbortSignal) => AsyncGenerator<readonly RowRef[]>;
}

/** Maximum number of lists to merge. If a search has more, the table is not used. */
const MOST_STREAMS = 512;
const MOST_BYTES = 512 * 1024 * 1024;

/** Memory of a row besides its columns. */
const ROW_BYTES = 200;

/** Rows that are handed over together. */
const PAGE_ROWS = 2048;

interface WantedGroup {
  readonly group: TableGroup;
  readonly path: string;
  /** Memory of its rows. */
  readonly bytes: number;
  readonly ranges: readonly JoinedRange[];
  /** Value and country, if the group has only one of each. */
  readonly unit: string | undefined;
}

/** A range of a file, read when the first of its groups is needed, and dropped after the last one. */
interface JoinedRange {
  readonly start: number;
  readonly end: number;
  readonly chunks: readonly TableChunk[];
  groups: number;
  bytes?: Promise<Uint8Array> | undefined;
}

async function planTable(session: Session, query: TableQuery, tools: TableTools): Promise<TableRows | undefined> {
  const [collection, ...others] = query.collections;
  const { table } = session.manifest.collections[collection ?? ""] ?? {};
  if (collection === undefined || others.length > 0 || !table) return undefined;
  const schema = collectionIn(session.manifest, collection);
  const wanted = wantedTable(schema, table, query);
  if (!wanted) return undefined;
  const refs = await findPartitions(session, { collection, run: "table" }, (node) => mayHoldWanted(node, wanted));
  const files = await Promise.all(refs.map((ref) => openFile({ session, tools, wanted }, ref)));
  const groups = files.flatMap((file) => file.groups);
  const small = groups.filter(({ unit }) => unit === undefined);
  const streams = new Set(groups.map(({ unit }) => unit));
  const ranges = new Set(groups.flatMap((group) => group.ranges));
  const sizeOf = (some: Iterable<JoinedRange>): number =>
    [...some].reduce((sum, { start, end }) => sum + end - start, 0);
  if (streams.size > MOST_STREAMS || heldBytes(groups) > (tools.mostBytes ?? MOST_BYTES)) return undefined;
  const checksOf = new Map(files.map(({ path, checks }) => [path, checks]));

  /** The rows of a group that match, in units. */
  async function read(wantedGroup: WantedGroup, signal: AbortSignal | undefined): Promise<RowRef[]> {
    const { group, path, ranges: own } = wantedGroup;
    for (const range of own) fetchRange(path, range, signal);
    const bytes = new Map<JoinedRange, Uint8Array>();
    for (const range of own) bytes.set(range, await (range.bytes as Promise<Uint8Array>));
    const bytesOf = (chunk: TableChunk): Uint8Array => {
      const range = own.find(({ start, end }) => chunk.start >= start && chunk.end <= end);
      const found = range && bytes.get(range);
      if (!range || !found) throw new Error("a column chunk that was not read");
      return found.subarray(chunk.start - range.start, chunk.end - range.start);
    };
    const file = group.file(wanted?.columns ?? [], bytesOf);
    for (const range of own) if (--range.groups === 0) range.bytes = undefined;
    const units = await opened(path, async () => {
      const columns = tools.decodeRows
        ? columnsOfRows(await tools.decodeRows(file))
        : columnsOfArrow(await tools.decode(file));
      return unitsOf(schema, columns, { key: wanted?.key ?? "", rows: group.rows });
    });
    const { values = [], countries, filters = {} } = wanted ?? {};
    const refs = units
      .filter(({ value, rows }) => values.includes(value) && (countries?.includes(rows.country) ?? true))
      .flatMap(({ rows }) => Array.from({ length: rows.rows }, (_, row): RowRef => ({ rows, row })));
    if (isEmpty(filters)) return refs;
    const isMatch = await testRows(refs, filters);
    return refs.filter(isMatch);
  }

  async function opened<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof FetchError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new DecodeError(`${path} of ${tools.source.name} cannot be decoded: ${reason}`, { path, cause });
    }
  }

  function fetchRange(path: string, range: JoinedRange, signal: AbortSignal | undefined): void {
    if (range.bytes) return;
    const { start, end, chunks } = range;
    const checks = checksOf.get(path) ?? [];
    const faultOf = async (bytes: Uint8Array): Promise<string | undefined> => {
      if (bytes.length !== end - start)
        return `has ${bytes.length} bytes from byte ${start} on, expected ${end - start}`;
      for (const chunk of chunks) {
        const found = await checkOf(bytes.subarray(chunk.start - start, chunk.end - start));
        const expected = checks[chunk.index];
        if (!expected || !bytesEqual(found, expected)) return `has a damaged column chunk at byte ${chunk.start}`;
      }
      return undefined;
    };
    const bytes = readChecked(tools.source, { path, range: { start, end }, faultOf }, signal);
    // awaited when its rows are needed
    bytes.catch(() => {});
    range.bytes = bytes;
  }

  async function* pages(signal?: AbortSignal): AsyncGenerator<readonly RowRef[]> {
    const whole = new Map<string, WantedGroup[]>();
    for (const group of groups) {
      if (group.unit === undefined) continue;
      const own = whole.get(group.unit);
      if (own) own.push(group);
      else whole.set(group.unit, [group]);
    }
    const first: RowRef[] = [];
    for (const group of small) for (const ref of await read(group, signal)) first.push(ref);
    first.sort((a, b) => compareIds(idOf(a), idOf(b)));
    const merged = mergeByIds([
      listed(first),
      ...Array.from(whole.values(), (own) =>
        inTurn(own, {
          read: (group) => read(group, signal),
          ahead: (group) => {
            for (const range of group.ranges) fetchRange(group.path, range, signal);
          },
        }),
      ),
    ]);
    let page: RowRef[] = [];
    let last: string | undefined;
    for await (const { ref, id } of merged) {
      // a row with several of the values
      if (id === last) continue;
      last = id;
      page.push(ref);
      if (page.length < PAGE_ROWS) continue;
      signal?.throwIfAborted();
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  return {
    release: session.manifest.release,
    mostRows: groups.reduce((sum, { group }) => sum + group.rows, 0),
    bytes: sizeOf(ranges),
    requests: ranges.size,
    pages,
  };
}

/** The most bytes of rows that are in memory at a time: all small groups, and one group of each unit. */
function heldBytes(groups: readonly WantedGroup[]): number {
  const largest = new Map<string, number>();
  let bytes = 0;
  for (const group of groups) {
    if (group.unit === undefined) bytes += group.bytes;
    else largest.set(group.unit, Math.max(group.bytes, largest.get(group.unit) ?? 0));
  }
  return [...largest.values()].reduce((sum, each) => sum + each, bytes);
}

interface Opening {
  readonly session: Session;
  readonly tools: TableTools;
  readonly wanted: WantedTable;
}

interface OpenedFile {
  readonly path: string;
  readonly checks: readonly Uint8Array[];
  readonly groups: readonly WantedGroup[];
}

async function openFile(
  { session, tools, wanted }: Opening,
  { collection, node }: PartitionRef<"table">,
): Promise<OpenedFile> {
  const path = tableFilePath(collection, node.pack);
  const { footer } = node;
  const entry = { path, ...footer, offset: node.bytes - footer.bytes };
  const bytes = await readSlice(tools.source, entry, session.signal);
  try {
    const file = tools.openTable(bytes, node.bytes);
    if (file.rows !== node.rows) throw new Error(`it holds ${file.rows} rows, expected ${node.rows}`);
    const checks = readChecks(metadataOf(file.value(TABLE_METADATA), collection).checks, file.chunks);
    const groups = file.groups.filter(
      (group) =>
        isWithin(group.bounds(wanted.key), wanted.values) && isWithin(group.bounds("country"), wanted.countries),
    );
    const ranges = joinChunks(groups.flatMap((group) => group.chunks(wanted.columns))).map(
      (range): JoinedRange => ({ ...range, groups: 0 }),
    );
    return {
      path,
      checks,
      groups: groups.map((group): WantedGroup => {
        const own = new Set(group.chunks(wanted.columns).map(({ index }) => index));
        const mine = ranges.filter(({ chunks }) => chunks.some(({ index }) => own.has(index)));
        for (const range of mine) range.groups++;
        const bytes = group.memoryBytes(wanted.columns) + group.rows * ROW_BYTES;
        return { group, path, bytes, ranges: mine, unit: unitOf(group, wanted.key) };
      }),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DecodeError(`${path} of ${tools.source.name} cannot be decoded: ${reason}`, { path, cause });
  }
}

function metadataOf(text: string | undefined, collection: CollectionName): TableMetadata {
  const read = JSON.parse(text ?? "{}") as Partial<TableMetadata>;
  if (read.collection !== collection || typeof read.checks !== "string") throw new Error("it has no checks");
  return read as TableMetadata;
}

function unitOf(group: TableGroup, key: string): string | undefined {
  const [values, countries] = [group.bounds(key), group.bounds("country")];
  if (!values || !countries) return undefined;
  const isOne = values.least === values.greatest && countries.least === countries.greatest;
  return isOne ? `${values.least}\0${countries.least}` : undefined;
}

async function checkOf(bytes: Uint8Array): Promise<Uint8Array> {
  const hash = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(hash, 0, TABLE_CHECK_BYTES);
}

function idOf({ rows, row }: RowRef): string {
  return rows.id(row);
}

interface IdentifiedRow {
  readonly id: string;
  readonly ref: RowRef;
}

async function* listed(refs: readonly RowRef[]): AsyncGenerator<IdentifiedRow[]> {
  if (refs.length > 0) yield refs.map((ref) => ({ id: idOf(ref), ref }));
}

/** The rows of groups that follow each other. The next group is fetched while the rows of one are used. */
async function* inTurn(
  groups: readonly WantedGroup[],
  { read, ahead }: { read: (group: WantedGroup) => Promise<RowRef[]>; ahead: (group: WantedGroup) => void },
): AsyncGenerator<IdentifiedRow[]> {
  for (const [index, group] of groups.entries()) {
    const next = groups[index + 1];
    if (next) ahead(next);
    const refs = await read(group);
    if (refs.length > 0) yield refs.map((ref) => ({ id: idOf(ref), ref }));
  }
}

/** Merges lists in the order of ids. Each comes in parts. */
async function* mergeByIds(lists: readonly AsyncGenerator<IdentifiedRow[]>[]): AsyncGenerator<IdentifiedRow> {
  const heads: { list: AsyncGenerator<IdentifiedRow[]>; rows: IdentifiedRow[]; at: number }[] = [];
  await Promise.all(
    lists.map(async (list) => {
      const { value, done } = await list.next();
      if (!done) heads.push({ list, rows: value, at: 0 });
    }),
  );
  const head = (index: number): string => heads[index]?.rows[heads[index]?.at ?? 0]?.id ?? "";
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heads.length && compareIds(head(child), head(least)) < 0) least = child;
      if (least === at) return;
      [heads[at], heads[least]] = [heads[least], heads[at]] as [(typeof heads)[number], (typeof heads)[number]];
      at = least;
    }
  };
  for (let at = heads.length >> 1; at >= 0; at--) sink(at);
  for (let first = heads[0]; first; first = heads[0]) {
    yield first.rows[first.at++] as IdentifiedRow;
    if (first.at === first.rows.length) {
      const { value, done } = await first.list.next();
      if (done) {
        const last = heads.pop();
        if (last && heads.length > 0) heads[0] = last;
      } else [first.rows, first.at] = [value, 0];
    }
    sink(0);
  }
}
