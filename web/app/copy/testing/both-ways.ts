/** Runs a search of the page by the engine and in DuckDB, and compares the answers. @module */
import { tableToIPC } from "apache-arrow";
import { expect } from "vitest";
import type { Manifest } from "../../../../data/format/manifest.ts";
import { collectionIn } from "../../../../data/format/own-collections.ts";
import type { Dataset, Feature } from "../../../engine/index.ts";
import { createWasmConsole } from "../../../engine/testing/databases.ts";
import type { Console } from "../../../hosts/browser/duckdb/console-database.ts";
import type { DuckdbAnswer } from "../../../hosts/browser/protocol/index.ts";
import { ownFiltersOf, parseSearch, runSearch, searchPathsOf } from "../../../search/index.ts";
import { describeOwnPaths, parsePageState, type Search, searchArgument } from "../../address/index.ts";
import { type DuckdbSearch, duckdbSearch } from "../duckdb-search.ts";

type Statements = Extract<DuckdbSearch, { readonly kind: "statements" }>;

export interface BothWays {
  readonly manifest: Manifest;
  readonly console: Console;
  search(hash: string): Search;
  byEngine(search: Search): Promise<{ readonly total: number; readonly records: readonly Feature[] }>;
  inDuckdb(search: Search): Promise<DuckdbAnswer & { readonly statements: Statements }>;
  /** Compares rows, order, number and distances. Returns the number. */
  compare(hash: string): Promise<number>;
}

/** Opens the dataset in both. */
export async function openBothWays(dataset: Dataset): Promise<BothWays> {
  const manifest = await dataset.manifest();
  describeTables(manifest);
  const console = await createWasmConsole();
  console.open(Object.keys(manifest.collections).map((name) => collectionIn(manifest, name)));

  const search = (hash: string): Search => {
    const { search: found, refused } = parsePageState(`#/${hash}`);
    if (!found || refused.length > 0) throw new Error(`${hash} is refused: ${refused}`);
    return found;
  };

  const byEngine: BothWays["byEngine"] = async (asked) => {
    const { path: name, parameters, area } = searchArgument(asked);
    const path = searchPathsOf(manifest).find(({ path }) => path === name);
    if (!path) throw new Error(`no path ${name}`);
    const parsed = parseSearch(path, parameters, area);
    const order = asked.sort === "confidence" ? { order: { by: asked.sort } as const } : {};
    const { total, features } = await runSearch(dataset, { ...parsed, query: { ...parsed.query, ...order } });
    return { total, records: [...features()] };
  };

  const inDuckdb: BothWays["inDuckdb"] = async (asked) => {
    const statements = duckdbSearch(asked, { dataset: manifest, isOrdered: asked.sort !== undefined });
    if (statements?.kind !== "statements") throw new Error(`not expressible: ${JSON.stringify(statements)}`);
    const list = await dataset.partitions(console.needs(statements.rows));
    for (const partition of console.missing(list, 1e9)) {
      console.fill(partition, tableToIPC(await dataset.partitionTable(partition), "stream"));
    }
    return { ...console.search(statements), statements };
  };

  async function compare(hash: string): Promise<number> {
    const asked = search(hash);
    const [expected, { total, body }] = [await byEngine(asked), await inDuckdb(asked)];
    expect(body.map(keyOf), hash).toEqual(expected.records.map(keyOf));
    expect(total, hash).toBe(expected.total);
    for (const [index, record] of body.entries()) {
      const other = expected.records[index];
      expect(Math.abs(metersOf(record) - (other ? metersOf(other) : 0)), `${hash} ${record.id}`).toBeLessThan(0.0011);
      expect("ext_distance" in record.properties, hash).toBe(other !== undefined && "ext_distance" in other.properties);
    }
    return total;
  }
  return { manifest, console, search, byEngine, inDuckdb, compare };
}

/** Makes the collections with their own schema known to the page. */
export function describeTables({ collections }: Pick<Manifest, "collections">): void {
  const unused = { focus: undefined, namesBytes: 0 };
  describeOwnPaths({
    collections: Object.entries(collections).map(([name, { schema, rows, countries, bbox }]) => ({
      name,
      schema,
      filters: schema && ownFiltersOf(schema),
      rows,
      countries,
      bbox,
      ...unused,
    })),
  });
}

export const keyOf = ({ id, properties }: Feature): string => `${properties.type} ${id}`;
export const metersOf = ({ properties }: Feature): number => Number(properties.ext_distance ?? 0);
