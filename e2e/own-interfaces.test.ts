/**
 * Tables in the documents of REST.
 * @module
 */
import { beforeAll, expect, test } from "vitest";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { createApi } from "../web/api/index.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import { type Answer, type Client, createClient, jsonOf } from "./conformance/client.ts";
import { at, isObject, type Json, listAt, textAt } from "./conformance/json.ts";
import { violationsOf } from "./conformance/openapi.ts";
import { buildOwnDataset, OWN_ROWS } from "./support/own-dataset.ts";

const newFolder = temporaryFolders();
const TABLES = ["my_shops", "tile"] as const;

let client: Client;
let document: Json;
const answers: Answer[] = [];

beforeAll(async () => {
  const api = createApi({ dataset: openNodeDataset(await buildOwnDataset(await newFolder())) });
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
