/**
 * Tables in the documents of REST and in the ES module.
 * @module
 */
import { beforeAll, expect, test } from "vitest";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { createApi } from "../web/api/index.ts";
import { type Cairn, open, RequestError } from "../web/embed/node/index.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import { type Answer, type Client, createClient, jsonOf } from "./conformance/client.ts";
import { at, isObject, type Json, listAt, textAt } from "./conformance/json.ts";
import { violationsOf } from "./conformance/openapi.ts";
import { buildOwnDataset, OWN_ROWS } from "./support/own-dataset.ts";

const newFolder = temporaryFolders();
const TABLES = ["my_shops", "tile"] as const;

let client: Client;
let document: Json;
let cairn: Cairn;
const answers: Answer[] = [];

beforeAll(async () => {
  const folder = await buildOwnDataset(await newFolder());
  const api = createApi({ dataset: openNodeDataset(folder) });
  cairn = await open(folder);
  client = createClient({
    send: (path, init) => api(new Request(`http://cairn.invalid${path}`, init)),
    onAnswer: (answer) => answers.push(answer),
  });
  document = jsonOf(await client.get("/openapi.json"));
});

const parametersOf = (path: string) => listAt(document, "paths", path, "get", "parameters");
const nameOf = (parameter: Json) => textAt(parameter, "name") ?? "";

/** A value that the document allows, as a URL has it. */
function exampleOf(schema: Json): string {
  const [choice] = listAt(schema, "enum");
  const pattern = textAt(schema, "pattern");
  const example = at(schema, "example");
  if (example !== undefined) return String(example);
  if (choice !== undefined) return String(choice);
  const type = textAt(schema, "type");
  if (type === "array") return exampleOf(at(schema, "items") ?? null);
  if (type === "boolean") return "true";
  if (type === "number" || type === "integer") return String(at(schema, "minimum") ?? 3);
  const allowed = ["note", "2024-05-01"].find((text) => pattern === undefined || new RegExp(pattern).test(text));
  if (allowed === undefined) throw new Error(`no value for ${JSON.stringify(schema)}`);
  return allowed;
}

test("the documents list the paths of tables, and every operation has its own id", async () => {
  const welcome = at(jsonOf(await client.get("/")), "links");
  const paths = at(document, "paths");
  for (const table of TABLES) {
    expect(at(welcome, `/${table}`)).toBe(`http://cairn.invalid/${table}`);
    expect(Object.keys(at(paths, `/${table}`) ?? {})).toEqual(["get", "post"]);
    expect(Object.keys(at(paths, `/${table}/{id}`) ?? {})).toEqual(["get"]);
  }
  const ids = Object.values(isObject(paths) ? paths : {}).flatMap((path) =>
    Object.values(isObject(path) ? path : {}).map((operation) => textAt(operation, "operationId")),
  );
  expect(ids).toContain("getTile");
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(TABLES)(
  "/%s accepts every parameter of the document, and the document has every accepted one",
  async (table) => {
    const parameters = parametersOf(`/${table}`);
    const documented = parameters.map(nameOf);
    // far from every name, so that the answer lists all of them
    const { text } = await client.get(`/${table}`, { "🐫": "1" });
    const [, accepted = ""] = /allowed are (.*)"\]/.exec(text) ?? [];
    expect(JSON.parse(`"${accepted}"`).split(", ").sort()).toEqual([...documented].sort());

    const values = new Map(
      parameters.map((parameter) => [nameOf(parameter), exampleOf(at(parameter, "schema") ?? null)]),
    );
    const found: Record<string, number> = {};
    for (const [name, value] of values) {
      const with_ = name === "nearest" ? ["lat", "lng"] : name === "lat" ? ["lng"] : name === "lng" ? ["lat"] : [];
      const query = Object.fromEntries([name, ...with_].map((each) => [each, values.get(each) ?? value]));
      const answer = await client.get(`/${table}`, query);
      // the tables have no divisions
      const [status, said] = name === "within" ? [400, "within must be the id of a division"] : [200, ""];
      expect([name, answer.status, answer.text]).toEqual([name, status, expect.stringContaining(said)]);
      found[name] = Number(answer.headers.get("Pagination-Count"));
    }
    // a condition of each type, on columns with names of other parameters too
    expect(found).toMatchObject({
      Price_min: OWN_ROWS - 3,
      "c.Price_min": OWN_ROWS,
      "c.limit": 1,
      "c.limit_max": 4,
      note: OWN_ROWS,
      open: OWN_ROWS / 2,
    });
  },
);

test.each(TABLES)("every record of /%s is as the document describes it", async (table) => {
  const list = jsonOf(await client.get(`/${table}`, { lat: "47.9", lng: "7.8", radius: "100000" }));
  const records = Array.isArray(list) ? list : [];
  expect(records).toHaveLength(OWN_ROWS);
  await client.get(`/${table}/${textAt(records[0] ?? null, "id")}`);
  await client.get(`/${table}`, { format: "geojson" });
  const described = at(document, "components", "schemas", `Record_${table}`, "properties", "properties", "properties");
  const keys = records.flatMap((record) => Object.keys(at(record, "properties") ?? {}));
  expect(new Set(keys)).toEqual(new Set(Object.keys(described ?? {})));
  expect(await violationsOf(client, answers)).toEqual([]);
});

test("an unknown path lists the tables", async () => {
  const { status, text } = await client.get("/quite_another_name");
  expect([status, text]).toEqual([404, expect.stringMatching(/allowed are .*\/places,.*\/my_shops, \/tile/)]);
  expect((await client.get("/my_shop")).text).toContain("the nearest is /my_shops");
});

test("the ES module searches a table by its name, iterates over all pages, and finds a record", async () => {
  const asked = { open: true, "Größe (m²) & more_min": 40, "c.limit": [4, 6, 7, 20, 28] };
  const { count, features } = await cairn.search("my_shops", asked);
  expect([count, features.map(({ properties }) => properties.limit).sort()]).toEqual([4, [20, 28, 4, 6]]);
  const rest = jsonOf(await client.get("/my_shops", { lat: "47.9", lng: "7.8", radius: "100000", open: "false" }));
  const found: unknown[] = [];
  const near = { lat: 47.9, lng: 7.8, radius: 100_000, open: false, limit: 4 };
  for await (const feature of cairn.records("my_shops", near)) found.push(feature);
  expect(found).toHaveLength(OWN_ROWS / 2);
  expect(found).toEqual(rest);
  expect(await cairn.find("my_shops", features[0]?.id ?? "")).toEqual(features[0]);
  expect(await cairn.find("tile", "no such id")).toBeUndefined();
});

test("the ES module reports the paths of the dataset for an unknown one, and the nearest column", async () => {
  const names = "places, placeBuildings, buildings, addresses, base, transportation, divisions, my_shops, tile";
  const refused = { status: 404, message: `no path "shops", expected one of ${names}` };
  for (const call of [() => cairn.search("shops", {}), () => cairn.find("shops", "1")]) {
    await expect(call()).rejects.toThrow(RequestError);
    await expect(call()).rejects.toMatchObject(refused);
  }
  await expect(cairn.records("shops", {}).next()).rejects.toMatchObject(refused);
  const wrong = { status: 400, message: expect.stringContaining("the nearest is Price") };
  await expect(cairn.search("my_shops", { Pric: 3 })).rejects.toMatchObject(wrong);
});

test("the types of a path with a method stay strict", async () => {
  // @ts-expect-error a table has such a parameter, places do not
  await expect(cairn.search("places", { Price_min: 3 })).rejects.toThrow("Price_min");
  // @ts-expect-error
  await expect(cairn.records("places", { Price_min: 3 }).next()).rejects.toThrow("Price_min");
  // @ts-expect-error a parameter is no object
  await expect(cairn.search("my_shops", { Price_min: { at: 3 } })).rejects.toThrow("Price_min");
});
