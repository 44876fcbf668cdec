import { readFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Ajv } from "ajv";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CAIRN } from "../../pipeline/testing/cairn.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { openSampleRows, type SampleRows } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type RunningServer, startServer } from "../hosts/node/server.ts";
import { answerMcp } from "./index.ts";

const MOST_SCHEMA_TOKENS = 3000;
const MOST_TEN_PLACES_TOKENS = 400;

let sample: SampleRows;
let dataset: Dataset;
let server: RunningServer;

beforeAll(async () => {
  sample = await openSampleRows();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  server = await startServer({ dataset: sample.folder, port: 0 });
});
afterAll(() => server.close());

const TRANSPORTS: readonly (readonly [string, () => Transport])[] = [
  [
    "standard input and output",
    () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [...CAIRN, "mcp", sample.folder],
      }),
  ],
  // the library's type of its transport is wrong about optional properties
  ["HTTP", () => new StreamableHTTPClientTransport(new URL("mcp", server.url)) as Transport],
];

interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly found: Record<string, unknown>;
}
type Call = (name: string, asked: Record<string, unknown>) => Promise<Called>;

const MONACO = { lat: 43.7384, lng: 7.4246 };

/** Arguments for each tool. A new tool without them fails. */
const EXAMPLES: Readonly<Record<string, (call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>>> = {
  find: () => ({ text: "casino monaco", ...MONACO, limit: 2 }),
  reverse: () => MONACO,
  near: () => ({ ...MONACO, limit: 2 }),
  in_area: () => ({ country: "MC", limit: 2 }),
  get: async (call) => {
    const [first] = (await call("near", { ...MONACO, nearest: 1, ids: true })).found.records as string[];
    return { id: first?.split("; ").at(-1) ?? "" };
  },
  categories: () => ({ words: "coffee" }),
  counts: () => ({ by: "category", ...MONACO }),
  describe: () => ({}),
};

test("the page for agents has every tool in its table", async () => {
  const page = await readFile("docs/guides/agents.md", "utf8");
  const named = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(EXAMPLES).sort());
});

describe.each(TRANSPORTS)("over %s", (_, connect) => {
  const client = new Client({ name: "test", version: "1" });
  beforeAll(() => client.connect(connect()));
  afterAll(() => client.close());

  async function call(name: string, asked: Record<string, unknown>): Promise<Called> {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: asked });
    const [first] = content as { readonly text: string }[];
    return { isError: isError === true, text: first?.text ?? "", found: structuredContent as Record<string, unknown> };
  }

  test("every tool has an example, only reads, and names all its arguments", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(EXAMPLES).sort());
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(inputSchema.additionalProperties).toBe(false);
    }
    expect(encode(JSON.stringify(tools)).length).toBeLessThan(MOST_SCHEMA_TOKENS);
  });

  test.each(Object.entries(EXAMPLES))("%s answers as its schema requires", async (name, asked) => {
    const { tools } = await client.listTools();
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? {};
    if (!outputSchema) throw new Error("no schema");
    const { isError, found } = await call(name, await asked(call));
    const validate = new Ajv({ strict: true }).compile(outputSchema);
    expect([isError, validate(found), validate.errors]).toEqual([false, true, null]);
    expect(Object.keys(found).length).toBeGreaterThan(1);
  });

  test.each(Object.entries(EXAMPLES))("%s refuses an unknown argument", async (name, asked) => {
    const known = await asked(call);
    const { isError, text } = await call(name, { ...known, unknown_one: 1 });
    expect([isError, text]).toEqual([true, expect.stringContaining("unknown argument unknown_one")]);
    for (const argument of Object.keys(known)) expect(text.split("arguments of this tool: ")[1]).toContain(argument);
  });

  test.each([
    ["near", { type: "building" }, "unknown argument type; did you mean what?"],
    ["near", { latitude: 1 }, "unknown argument latitude; did you mean lat?"],
    ["near", { radus: 1, LON: 2 }, "unknown argument radus; did you mean radius?"],
    ["near", { radus: 1, LON: 2 }, "unknown argument LON; did you mean lng?"],
    ["counts", { type: "brand" }, "unknown argument type; did you mean what?"],
    ["categories", { text: "coffee" }, "unknown argument text; did you mean words?"],
    ["find", { q: "boulder" }, "unknown argument q; did you mean text?"],
    ["in_area", { box: [1, 2, 3, 4] }, "unknown argument box; did you mean bbox?"],
    ["describe", { country: "MC" }, "unknown argument country\narguments of this tool: none"],
  ])("%s with %j names the intended argument", async (name, asked, message) => {
    expect((await call(name, asked)).text).toContain(message);
  });

  test("categories refuses a text that is too long", async () => {
    const { isError, text } = await call("categories", { words: "coffee ".repeat(100) });
    expect([isError, text]).toEqual([true, expect.stringContaining("<=200 characters")]);
  });

  test("ten places near a point, and the next ten, equal the places of the engine, in its order", async () => {
    const asked = { lat: 40.0165, lng: -105.271, limit: 10, ids: true };
    const first = await call("near", asked);
    const second = await call("near", { ...asked, cursor: first.found.cursor });
    const circle = { lat: 40.0165, lon: -105.271, radiusMeters: 1000 };
    const { total, features } = await dataset.search({ collections: ["place"], circle, offset: 0, limit: 20 });
    expect(first.found.total).toBe(total);
    const ids = [first, second].flatMap(({ found }) =>
      (found.records as string[]).map((line) => line.split("; ").at(-1)),
    );
    expect(ids).toEqual(Array.from(features(), ({ id }) => id));
    const plain = await call("near", { ...asked, ids: false });
    expect(encode(plain.text).length).toBeLessThan(MOST_TEN_PLACES_TOKENS);
    expect(plain.text).toContain("attribution: ");
    expect(plain.text).toContain("Overture Maps Foundation");
    expect((await call("describe", {})).text).toContain("OpenStreetMap");
  });

  test("a text, a point and an id lead to records", async () => {
    const boulder = await call("find", { text: "bouldr" });
    expect(boulder.text).toMatch(/^found:\ndivision; Boulder; .*US; 40\.0\d*,-105\.2\d*; /);
    const at = await call("reverse", { lat: 43.7384, lng: 7.4246 });
    expect(at.found.label).toBe("25 Avenue de la Costa, Monaco");
    const [nearest] = (await call("near", { lat: 43.7384, lng: 7.4246, nearest: 1, ids: true })).found
      .records as string[];
    const id = nearest?.split("; ").at(-1) ?? "";
    const { record } = (await call("get", { id })).found;
    expect(record).toMatchObject({ id, type: "place" });
  });

  test("`find` reads the codes of cells and grids", async () => {
    for (const text of ["8a2681a33c27fff", "13T 476112 4429460", "85GP2P8C+22"])
      expect((await call("find", { text })).found.found).toEqual([
        expect.stringMatching(/^position; 40\.01\d*, ?-105\.2/),
      ]);
  });

  test("`find` knows category names in the language of the text", async () => {
    const asked = { text: "Apotheke", lat: 43.7384, lng: 7.4246, limit: 3 };
    const german = (await call("find", { ...asked, language: "de" })).found.found as string[];
    expect(german[0]).toMatch(/^category; Apotheke; .*; pharmacy$/);
    expect(german).toHaveLength(3);
    for (const line of german.slice(1)) expect(line).toMatch(/^place; /);
    const french = (await call("find", { ...asked, language: "fr" })).found.found as string[];
    expect(french[0]).toMatch(/^category; Pharmacie; .*; pharmacy$/);
  });

  test("a line of `find` ends with the unused words of the text", async () => {
    const [first] = (await call("find", { text: "Xyzzyq Monaco" })).found.found as string[];
    expect(first).toMatch(/^country; Monaco; .*; unused: Xyzzyq$/);
    const [whole] = (await call("find", { text: "monaco" })).found.found as string[];
    expect(whole).not.toContain("unused");
  });

  test("an area is exactly one of a division, a box or a country", async () => {
    const bbox = [7.415, 43.735, 7.43, 43.745];
    const inBox = await call("in_area", { bbox, categories: ["hotel"] });
    const inMonaco = await call("in_area", { country: "MC", categories: ["hotel"] });
    expect(Number(inBox.found.total)).toBeGreaterThan(3);
    expect(Number(inMonaco.found.total)).toBeGreaterThanOrEqual(Number(inBox.found.total));
    expect((await call("in_area", { bbox, country: "MC" })).text).toBe("give one of division, bbox and country");
    expect((await call("in_area", {})).isError).toBe(true);
  });

  test("categories, counts and the contents of the dataset", async () => {
    const { categories } = (await call("categories", { words: "coffee" })).found;
    expect(categories).toContainEqual(expect.stringMatching(/^coffee_shop; \d+$/));
    const named = async (words: string) => (await call("categories", { words, limit: 1 })).found.categories;
    expect(await named("toothache")).toEqual([expect.stringMatching(/^dentist; \d+$/)]);
    expect(await named("Zahnschmerzen")).toEqual([expect.stringMatching(/^dentist; \d+$/)]);
    expect(await named("toothache xyzzy")).toEqual([expect.stringMatching(/^dentist; \d+; unused: xyzzy$/)]);
    expect(await named("xyzzy")).toEqual([]);
    expect(await named("coffee_shop")).toEqual([expect.stringMatching(/^coffee_shop; \d+$/)]);
    const counts = await call("counts", { by: "category", lat: 40.0165, lng: -105.271, limit: 3 });
    expect(counts.found.groups).toHaveLength(3);
    const cells = await call("counts", { what: "buildings", by: "cell", level: "5", country: "Monaco", limit: 2 });
    expect(cells.found.records).toBeGreaterThan(1000);
    expect(cells.found.groups).toEqual([expect.stringMatching(/^\w{5}; \d+$/), expect.stringMatching(/^\w{5}; \d+$/)]);
    const refused = await call("counts", { what: "buildings", by: "brand" });
    expect(refused.text).toMatch(/group must be one of cell, country, division, class, subtype here, got "brand"/);
    const { rows, countries } = (await call("describe", {})).found;
    expect(rows).toMatchObject({ place: sample.rows.filter(({ collection }) => collection === "place").length });
    expect(countries).toEqual(expect.arrayContaining(["US", "MC"]));
  });

  test("errors are answers, not exceptions", async () => {
    expect((await call("get", { id: "nobody" })).text).toContain('"nobody" is not the id');
    expect((await call("near", { lat: 1, lng: 2, cursor: "x" })).text).toContain("cursor must be that of an answer");
    expect((await call("near", { lat: 1, lng: 2, cursor: "older.1" })).text).toContain(
      "start again with the first page",
    );
    expect((await call("in_area", { country: "Atlantis" })).text).toContain("country must be");
    expect((await call("near", { lat: 100, lng: 2 })).isError).toBe(true);
  });
});

test("an abort stops the work, and there is no stream to listen to", async () => {
  const leaving = new AbortController();
  let inner: AbortSignal | undefined;
  const endless: Dataset = {
    ...dataset,
    suggest: (_, { signal } = {}) => {
      inner = signal;
      leaving.abort();
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const failures: unknown[] = [];
  const params = { name: "find", arguments: { text: "boulder" } };
  const request = new Request("http://maps.example/mcp", {
    method: "POST",
    signal: leaving.signal,
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const options = { dataset: endless, onFailure: (error: unknown) => failures.push(error) };
  await expect(answerMcp(request, options)).rejects.toThrow(/abort/);
  expect(inner?.aborted).toBe(true);
  expect(failures).toEqual([]);
  const listening = await fetch(new URL("mcp", server.url), { headers: { Accept: "text/event-stream" } });
  expect([listening.status, listening.headers.get("Allow")]).toEqual([405, "POST"]);
});

test("a caller without a key is refused, as on other paths", async () => {
  const { mkdtemp, writeFile } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const keys = join(await mkdtemp(join(tmpdir(), "cairn-keys-")), "keys");
  await writeFile(keys, `${"0".repeat(64)}\n`);
  const guarded = await startServer({ dataset: sample.folder, port: 0, keys });
  const asked = await fetch(new URL("mcp", guarded.url), { method: "POST", body: "{}" });
  await guarded.close();
  expect(asked.status).toBe(401);
});
