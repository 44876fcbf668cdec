/**
 * Which rows of a partition have a term: an index made when a facet is first asked for, and kept as long as the partition.
 * @module
 */
import { firstIndex } from "../../../data/format/sorted.ts";
import { FACET_COLUMNS, type Facet, facetValues, type TermColumns } from "../../../data/format/terms.ts";
import type { ReadableRows } from "../contract/query.ts";
import type { Rows } from "./rows.ts";

interface TermIndex {
  /** In order of UTF-16 code units. */
  readonly values: readonly string[];
  /** Rows of all values, consecutively: the rows of value `i`, ascending, from `starts[i]` to `starts[i + 1]`. */
  readonly rows: Int32Array;
  readonly starts: Int32Array;
  /** Approximate bytes in memory. */
  readonly sizeBytes: number;
}

/** Bytes of a string in V8 in addition to its characters, with its slot. */
const STRING_BYTES = 24;
/** A string with a letter beyond Latin-1 has two bytes per character. */
const CHAR_BYTES = 2;

const indexes = new WeakMap<Rows, Map<Facet, TermIndex>>();

/**
 * Calls `visit` for each row of the partition that has the value; for the facet `name` a value with this prefix. It may visit a
 * row twice.
 */
export function visitRowsWith(partition: Rows, facet: Facet, value: string, visit: (row: number) => void): void {
  const { values, rows, starts } = indexOf(partition, facet);
  const isPrefix = facet === "name";
  for (let i = firstIndex(values.length, (at) => (values[at] ?? "") >= value); i < values.length; i++) {
    const candidate = values[i] ?? "";
    if (isPrefix ? !candidate.startsWith(value) : candidate !== value) return;
    for (let at = starts[i] ?? 0; at < (starts[i + 1] ?? 0); at++) visit(rows[at] ?? 0);
  }
}

/** Returns the approximate bytes of the partition's indexes. */
export function termIndexBytes(partition: Rows): number {
  let bytes = 0;
  for (const { sizeBytes } of indexes.get(partition)?.values() ?? []) bytes += sizeBytes;
  return bytes;
}

function indexOf(partition: Rows, facet: Facet): TermIndex {
  const known = indexes.get(partition) ?? new Map<Facet, TermIndex>();
  indexes.set(partition, known);
  const index = known.get(facet) ?? makeIndex(partition, facet);
  known.set(facet, index);
  return index;
}

function makeIndex(partition: Rows, facet: Facet): TermIndex {
  const { rows } = partition;
  const valuesOf = facetReader(partition, facet);
  const byValue = new Map<string, number[]>();
  for (let row = 0; row < rows && valuesOf; row++) {
    for (const value of valuesOf(row)) {
      const list = byValue.get(value);
      if (list) list.push(row);
      else byValue.set(value, [row]);
    }
  }
  const values = [...byValue.keys()].sort();
  const lists = values.map((value) => byValue.get(value) ?? []);
  const starts = new Int32Array(values.length + 1);
  for (const [i, list] of lists.entries()) starts[i + 1] = (starts[i] ?? 0) + list.length;
  const postings = Int32Array.from(lists.flat());
  const textBytes = values.reduce((sum, { length }) => sum + STRING_BYTES + CHAR_BYTES * length, 0);
  return { values, rows: postings, starts, sizeBytes: postings.byteLength + starts.byteLength + textBytes };
}

/** Returns a function that reads a row's values of the facet; undefined if the rows have none of its columns. */
export function facetReader(partition: ReadableRows, facet: Facet): ((row: number) => Iterable<string>) | undefined {
  const readers = FACET_COLUMNS[facet].flatMap((name) => {
    const column = partition.column(name);
    return column ? [[name, column.read] as const] : [];
  });
  if (readers.length === 0) return undefined;
  return (row) =>
    facetValues(facet, Object.fromEntries(readers.map(([name, read]) => [name, read(row)])) as TermColumns);
}
