import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { createApi } from "../../api/index.ts";
import { buildSample } from "../../engine/testing/sample.ts";
import { openNodeDataset } from "../../hosts/node/open.ts";
import { parsePageState, restAddress, type Search } from "../address/search.ts";
import { recordSql, searchSql } from "./sql.ts";

let folder: string;
let collections: ReadonlySet<CollectionName>;
let answerIds: (address: string) => Promise<string[]>;
let sqlIds: (sql: string) => Promise<string[]>;

beforeAll(async () => {
  folder = await buildSample();
  const dataset = openNodeDataset(folder);
  const api = createApi({ dataset });
  collections = new Set(Object.keys((await dataset.manifest()).collections) as CollectionName[]);
  const duckdb = await (await DuckDBInstance.create()).connect();
  answerIds = async (address) => {
    const response = await api(new Request(new URL(address, "http://127.0.0.1/")));
    const records = (await response.json()) as { readonly id: string }[];
    return records.map(({ id }) => id);
  };
  sqlIds = async (sql) => {
    // The statement is for the dataset's own folder.
    const here = sql.replace(/'(\w+\/(_id\/)?country=)/g, `'${join(folder, "$1")}`);
    const reader = await duckdb.runAndReadAll(here);
    return reader.getRowObjects().map(({ id }) => String(id));
  };
}, 300_000);

function searchAt(hash: string): Search {
  const { search } = parsePageState(hash);
  if (!search) throw new Error(`${hash} asks for nothing`);
  return search;
}

describe("the statement returns the rows of the interface, in their order", () => {
  test.each([
    ["points in a circle", "#/places?lat=40.0165&lng=-105.271&radius=1000"],
    ["a later page", "#/places?lat=40.0165&lng=-105.271&radius=1000&page=4&limit=100"],
    ["a circle and a country", "#/addresses?lat=43.7347&lng=7.4206&radius=800&country=MC"],
    ["polygons", "#/buildings?lat=43.7347&lng=7.4206&radius=300&limit=100"],
    ["polygons around the centre", "#/divisions?lat=43.7347&lng=7.4206&radius=500"],
    ["lines", "#/transportation?lat=40.0165&lng=-105.271&radius=400&limit=100"],
    ["lines and points", "#/transportation?lat=40.0165&lng=-105.271&radius=200&types=segment,connector"],
    ["several collections", "#/base?lat=43.7347&lng=7.4206&radius=400&limit=100"],
    ["a country", "#/divisions?country=JP&page=2"],
    ["a country, several collections", "#/base?country=MC&limit=100"],
    ["categories", "#/places?country=US&categories=cafe,coffee_shop"],
    ["a confidence", "#/places?country=US&min_confidence=0.9"],
    ["contacts and a source", "#/places?country=US&has_contact=email,phone&source=meta"],
    ["a brand", "#/places?country=US&brand_name=starbucks"],
    ["a class", "#/buildings?lat=40.0165&lng=-105.271&radius=2000&class=house,garage"],
    ["a name, by the ids of the page", "#/places?country=US&name=boulder"],
  ])("%s", async (_, hash) => {
    const search = searchAt(hash);
    const expected = await answerIds(restAddress(search));
    expect(expected.length).toBeGreaterThan(0);
    expect(await sqlIds(searchSql({ search, collections, ids: expected }))).toEqual(expected);
  });
});

test("taxonomy and status, which no place of the sample has, are included", async () => {
  const search = searchAt("#/places?country=US&taxonomy=eat_and_drink&operating_status=permanently_closed");
  expect(await sqlIds(searchSql({ search, collections, ids: [] }))).toEqual(await answerIds(restAddress(search)));
});

test("one record", async () => {
  const [id = ""] = await answerIds("places?country=MC&limit=1");
  expect(await sqlIds(recordSql({ type: "place", id }))).toEqual([id]);
});

test("quotes are part of the text", async () => {
  expect(await sqlIds(recordSql({ type: "place", id: "' OR 1=1 --" }))).toEqual([]);
});
