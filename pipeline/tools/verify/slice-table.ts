/**
 * A table in the database with the slices that the index of a collection names. There may be millions.
 * @module
 */
import type { DuckDBAppender } from "@duckdb/node-api";
import type { AnyRunName, NodesOf, PartitionNode, Slice } from "../../../data/format/manifest.ts";
import type { SliceKind } from "../../../data/format/paths.ts";
import { type Database, quoteLiteral } from "../../base/database/index.ts";

const TABLE = "verified_slices";

/** Slices to read from the table at a time. */
const PAGE_ROWS = 1000;
/** Packs to read from the table at a time, with all their slices. */
const PAGE_PACKS = 32;

export interface TableSlice {
  /** Number of the slice in the table, from 0. */
  readonly slice: number;
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface TableNode<Run extends AnyRunName> extends TableSlice {
  readonly node: NodesOf[Run];
}

export interface TablePack {
  readonly path: string;
  readonly kind: SliceKind;
  readonly slices: readonly TableSlice[];
}

export interface SliceTable {
  /** Adds a slice and returns its number. A slice with a node is in the run `kind`. */
  readonly add: (kind: SliceKind, path: string, slice: Slice, node?: PartitionNode) => number;
  /** Ends adding. Reading works only afterwards. */
  readonly close: () => void;
  /** Yields packs by path, each with its slices by offset: all, or those of a kind and of these countries. */
  readonly packs: (chosen?: { kind: SliceKind; countries: ReadonlySet<string> }) => AsyncGenerator<TablePack>;
  /** Yields the slices of a run with their nodes, in the order of the index: all, or those of these countries. */
  readonly nodes: <Run extends AnyRunName>(run: Run, countries?: ReadonlySet<string>) => AsyncGenerator<TableNode<Run>>;
  /** Returns the sum of rows in the nodes of a run for each country, by country. */
  readonly countries: (run: AnyRunName) => Promise<readonly (readonly [country: string, rows: number])[]>;
  /** Marks a slice as unusable, so that no further check reads it. */
  readonly spoil: (slice: number) => void;
  readonly isSound: (slice: number) => boolean;
}

/** Creates an empty table in the database, and replaces an older one. */
export async function openSliceTable(database: Database): Promise<SliceTable> {
  await database.run(`
    CREATE OR REPLACE TABLE ${TABLE} (slice INTEGER, kind VARCHAR, country VARCHAR, path VARCHAR, "offset" BIGINT,
      bytes BIGINT, sha256 VARCHAR, rows BIGINT, node VARCHAR)`);
  const appender = await database.connection.createAppender(TABLE);
  const spoiled = new Set<number>();
  let count = 0;

  async function* nodes<Run extends AnyRunName>(
    run: Run,
    countries?: ReadonlySet<string>,
  ): AsyncGenerator<TableNode<Run>> {
    for (let last = -1; ; ) {
      const rows = await database.rows<TableSlice & { node: string }>(`
        SELECT slice, path, "offset", bytes, sha256, node FROM ${TABLE}
        WHERE kind = ${quoteLiteral(run)} AND slice > ${last}${withinSql(countries)} ORDER BY slice LIMIT ${PAGE_ROWS}`);
      for (const row of rows) yield { ...row, node: JSON.parse(row.node) as NodesOf[Run] };
      last = rows.at(-1)?.slice ?? last;
      if (rows.length < PAGE_ROWS) return;
    }
  }

  async function* packs(chosen?: { kind: SliceKind; countries: ReadonlySet<string> }): AsyncGenerator<TablePack> {
    const of = chosen ? `AND kind = ${quoteLiteral(chosen.kind)}${withinSql(chosen.countries)}` : "";
    for (let last = ""; ; ) {
      const rows = await database.rows<{ path: string; kind: SliceKind; slices: string }>(`
        SELECT path, any_value(kind) AS kind,
          to_json(list({slice: slice, path: path, "offset": "offset", bytes: bytes, sha256: sha256} ORDER BY "offset", slice))::VARCHAR AS slices
        FROM ${TABLE} WHERE path > ${quoteLiteral(last)} ${of} GROUP BY path ORDER BY path LIMIT ${PAGE_PACKS}`);
      for (const row of rows) yield { ...row, slices: JSON.parse(row.slices) as TableSlice[] };
      last = rows.at(-1)?.path ?? last;
      if (rows.length < PAGE_PACKS) return;
    }
  }

  return {
    add: (kind, path, slice, node) => {
      append(appender, count, kind, path, slice, node);
      return count++;
    },
    close: () => appender.closeSync(),
    packs,
    nodes,
    countries: async (run) => {
      const rows = await database.rows<{ country: string; rows: number }>(`
        SELECT country, sum(rows)::BIGINT AS rows FROM ${TABLE} WHERE kind = ${quoteLiteral(run)} GROUP BY 1 ORDER BY 1`);
      return rows.map(({ country, rows: counted }) => [country, counted] as const);
    },
    spoil: (slice) => spoiled.add(slice),
    isSound: (slice) => !spoiled.has(slice),
  };
}

function append(
  appender: DuckDBAppender,
  number: number,
  kind: SliceKind,
  path: string,
  { offset, bytes, sha256 }: Slice,
  node: PartitionNode | undefined,
): void {
  appender.appendInteger(number);
  appender.appendVarchar(kind);
  appender.appendVarchar(node?.country ?? "");
  appender.appendVarchar(path);
  appender.appendBigInt(BigInt(offset));
  appender.appendBigInt(BigInt(bytes));
  appender.appendVarchar(sha256);
  appender.appendBigInt(BigInt(node?.rows ?? 0));
  appender.appendVarchar(node ? JSON.stringify(node) : "");
  appender.endRow();
}

function withinSql(countries: ReadonlySet<string> | undefined): string {
  if (!countries) return "";
  return ` AND country IN (${[...countries].map(quoteLiteral).join(", ")})`;
}

/** Returns the text that names a slice in faults. */
export function nameSlice({ path, offset }: Pick<TableSlice, "path" | "offset">): string {
  return `${path}, slice at ${offset}`;
}
