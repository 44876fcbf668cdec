import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tableToIPC } from "apache-arrow";
import { beforeAll, expect, test } from "vitest";
import { collectionIn } from "../data/format/own-collections.ts";
import { buildDataset } from "../pipeline/builder/dataset/build.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { describeOwnPaths } from "../web/app/address/paths.ts";
import { parsePageState, searchArgument } from "../web/app/address/search.ts";
import { foundSql } from "../web/app/copy/console-sql.ts";
import { type Dataset, EVERY_ROW } from "../web/engine/index.ts";
import { createWasmConsole } from "../web/engine/testing/databases.ts";
import type { Console } from "../web/hosts/browser/duckdb/console-database.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import {
  ownFiltersOf as filtersOfSchema,
  parseSearch,
  pathNamed,
  runSearch,
  searchPathsOf,
} from "../web/search/index.ts";
import { makeShops, shopsCsv } from "./support/shops.ts";

const newFolder = temporaryFolders();
const TABLE = "shops";
const EMPTY = { rows: 0, countries: {}, bbox: [0, 0, 0, 0], focus: undefined, namesBytes: 0 } as const;
let dataset: Dataset;
let console: Console;

beforeAll(async () => {
  const folder = await newFolder();
  const file = join(folder, `${TABLE}.csv`);
  await writeFile(file, shopsCsv(makeShops()));
  await buildDataset({ sources: [file], out: join(folder, "dataset") });
  dataset = openNodeDataset(join(folder, "dataset"));
  const manifest = await dataset.manifest();
  const schema = manifest.collections[TABLE]?.schema;
  if (!schema) throw new Error("the table has no schema");
  describeOwnPaths({ collections: [{ ...EMPTY, name: TABLE, schema, filters: filtersOfSchema(schema) }] });
  console = await createWasmConsole();
  console.open([collectionIn(manifest, TABLE)]);
  const list = await dataset.partitions([{ collection: TABLE, condition: EVERY_ROW }]);
  for (const partition of console.missing(list, 1e9))
    console.fill(partition, tableToIPC(await dataset.partitionTable(partition), "stream"));
}, 300_000);

test.each([
  "",
  "?name=muller",
  "?name=fresh%20bakery",
  "?categories=Bakery,Caf\u00e9",
  "?Note=muller%20number",
  "?Category=Bakery&Note=organic&Price_max=50",
  "?categories=Bakery&name=corner&Organic=true&Opened_min=2015",
])("found of the console has exactly the rows of a table's search: %s", async (query) => {
  const { search } = parsePageState(`#/${TABLE}${query}`);
  if (!search) throw new Error(`${query} is not complete`);
  const { path, parameters } = searchArgument({ ...search, limit: 25_000 });
  const paths = searchPathsOf(await dataset.manifest());
  const wanted = [...(await runSearch(dataset, parseSearch(pathNamed(paths, path), parameters))).features()];
  expect(wanted.length).toBeGreaterThan(0);
  console.nameFound(foundSql(search, new Set([TABLE])));
  console.run("SELECT id FROM found ORDER BY id");
  const [, ...ids] = new TextDecoder().decode(console.csv()).trimEnd().split(/\r\n/);
  expect(ids).toEqual(wanted.map(({ id }) => id).sort());
});
