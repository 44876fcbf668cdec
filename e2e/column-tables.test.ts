/** Column tables, from the build to each interface, compared with SQL over the source. @module */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { writeManifestFile } from "../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../data/format/paths.ts";
import { openTableFile } from "../data/parquet/index.ts";
import { type Database, openDatabase, quoteLiteral } from "../pipeline/base/database/index.ts";
import { buildDataset, parseColumnTables } from "../pipeline/builder/dataset/index.ts";
import { exportFile } from "../pipeline/cli/commands/export-file.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { hashTree } from "../pipeline/testing/hash-tree.ts";
import { verifyDataset } from "../pipeline/tools/verify/verify.ts";
import { createApi } from "../web/api/index.ts";
import { type ByteSource, openDataset, tablePlanner } from "../web/engine/index.ts";
import { openNodeDataset, openSource } from "../web/hosts/node/open.ts";
import { decodeParquet } from "../web/hosts/node/parquet.ts";
import { synthesise } from "./bench/synth/synthesise.ts";
import { pythonWith } from "./support/python.ts";
import { startStaticServer } from "./support/static-server.ts";

const ROWS = 12_000;
const newFolder = temporaryFolders();

let folder: string;
let source: string;
let withTable: string;
let without: string;
let database: Database;
let countries: readonly string[];

beforeAll(async () => {
  folder = await newFolder();
  source = join(folder, "source");
  await synthesise({ out: source, seed: 1, rows: { places: ROWS } });
  [withTable, without] = [join(folder, "with"), join(folder, "without")];
  await buildDataset({
    ...{ sources: [source], out: withTable, release: "1", level: "fast" },
    columnTables: parseColumnTables("place"),
  });
  await withoutTable(withTable, without);
  database = await openDatabase({ folder });
  await database.run(`
    CREATE TABLE places AS SELECT *, list_distinct([categories."primary"] || coalesce(categories.alternate, [])) AS every
    FROM read_parquet(${quoteLiteral(`${source}/*/*/*.parquet`)})`);
  const { collections } = await openNodeDataset(withTable).manifest();
  countries = Object.entries(collections.place?.countries ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code)
    .slice(0, 40);
});

/** Copies a dataset without the table. */
async function withoutTable(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  await rm(join(to, "tables"), { recursive: true });
  const manifest = await openNodeDataset(from).manifest();
  const { table: _, runs, ...place } = manifest.collections.place ?? failed();
  const { table: __, ...others } = runs;
  const collections = { ...manifest.collections, place: { ...place, runs: others } };
  await writeFile(join(to, MANIFEST_PATH), await writeManifestFile({ ...manifest, collections }));
}

function failed(): never {
  throw new Error("the dataset has no places");
}

async function exported(dataset: string, request: string, format: string, columns = "names,addresses,websites") {
  const out = join(await newFolder(), "a");
  const { records } = await exportFile({ dataset, request, format, columns, out });
  return { records, bytes: await readFile(out) };
}

/** Counts what is read of tables. */
function counting(dataset: string) {
  const reads: { path: string; bytes: number }[] = [];
  const files = openSource(dataset);
  const counted: ByteSource = {
    ...files,
    read: async (path, options) => {
      const bytes = await files.read(path, options);
      reads.push({ path, bytes: bytes.length });
      return bytes;
    },
  };
  return {
    reads,
    opened: openDataset({ source: counted, decode: decodeParquet, planTable: tablePlanner(openTableFile) }),
  };
}

const CASES = [
  ["one country and category", (codes: readonly string[]) => `/places?country=${codes[0]}&categories=restaurant`],
  ["forty countries", (codes: readonly string[]) => `/places?country=${codes.join(",")}&categories=cafe`],
  [
    "categories that share rows",
    (codes: readonly string[]) => `/places?country=${codes.join(",")}&categories=cafe,coffee_shop,bar,restaurant`,
  ],
  [
    "other filters",
    (codes: readonly string[]) =>
      `/places?country=${codes.join(",")}&categories=restaurant&min_confidence=0.8&has_contact=website`,
  ],
  ["a rare category", (codes: readonly string[]) => `/places?country=${codes.join(",")}&categories=zoo`],
  ["no rows", (codes: readonly string[]) => `/places?country=${codes[3]}&categories=no_such_category`],
] as const;

describe.each(CASES)("%s", (_, requestOf) => {
  test.each(["geojson", "csv", "geoparquet"])("as %s is the same with and without a table", async (format) => {
    const request = requestOf(countries);
    const columns = /contact/.test(request) ? "names,websites,phones,confidence" : undefined;
    const [one, other] = [
      await exported(withTable, request, format, columns),
      await exported(without, request, format, columns),
    ];
    expect(one.records).toBe(other.records);
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });
});

test("has the rows that SQL finds, in the order of ids", async () => {
  const request = `/places?country=${countries.join(",")}&categories=cafe,bar`;
  const { bytes } = await exported(withTable, request, "json");
  const found = (JSON.parse(bytes.toString()) as { id: string; properties: { ext_country: string } }[]).map(
    ({ id }) => id,
  );
  const { collections } = await openNodeDataset(withTable).manifest();
  expect(Object.keys(collections.place?.countries ?? {}).length).toBeGreaterThan(countries.length);
  // the country is located, so it comes from the primary copy
  const rows = await database.rows<{ id: string }>(`
    SELECT id FROM places JOIN (
      SELECT id, country FROM read_parquet(${quoteLiteral(`${withTable}/place/country=*/*/*.parquet`)}, hive_partitioning = true, hive_types = {'country': VARCHAR})
    ) USING (id)
    WHERE country IN (${countries.map(quoteLiteral).join(", ")}) AND (list_contains(every, 'cafe') OR list_contains(every, 'bar')) ORDER BY id`);
  expect(rows.length).toBeGreaterThan(100);
  expect(found).toEqual(rows.map(({ id }) => id));
});

test.each([
  ["cafe", 40],
  ["restaurant", 40],
  ["restaurant", 1],
] as const)("reads %s of %d countries in few bytes and requests", async (category, count) => {
  const { reads, opened } = counting(withTable);
  const codes = countries.slice(0, count);
  const table = await opened.table({
    collections: ["place"],
    country: codes,
    filters: { terms: [[`category:${category}`]] },
    properties: new Set(["names", "addresses", "websites"]),
  });
  const before = reads.length;
  let rows = 0;
  for await (const page of table?.pages() ?? []) rows += page.length;
  const ofRows = reads.slice(before);
  const bytes = ofRows.reduce((sum, read) => sum + read.bytes, 0);
  const out = join(folder, "columns.parquet");
  const key = `category = '${category}' AND country IN (${codes.map(quoteLiteral).join(", ")})`;
  await database.run(`COPY (
    SELECT id, geometry, "names", addresses, websites FROM read_parquet(${quoteLiteral(`${withTable}/tables/place/*.parquet`)}) WHERE ${key} ORDER BY country, id
  ) TO ${quoteLiteral(out)} (FORMAT parquet, COMPRESSION zstd)`);
  const least = (await readFile(out)).length;
  expect(rows).toBeGreaterThan(count === 1 ? 10 : 50);
  expect([table?.bytes, table?.requests]).toEqual([bytes, ofRows.length]);
  // a file shares a row group of at most two thousand rows with other values
  expect(bytes).toBeLessThan(1.3 * least + 150_000);
  expect(ofRows.length).toBeLessThanOrEqual(1 + Math.ceil(bytes / 1e6));
  expect(new Set(reads.map(({ path }) => path.split("/")[1] ?? "manifest")).size).toBeLessThan(4);
});

test("a search that the table cannot answer reads records", async () => {
  const { opened } = counting(withTable);
  const query = {
    collections: ["place"],
    country: countries[0] ?? "",
    filters: { terms: [["category:cafe"]] },
  } as const;
  const ask = (asked: object) => opened.table({ ...query, properties: new Set(["names"]), ...asked });
  expect(await ask({})).toBeDefined();
  expect(await ask({ properties: new Set(["names", "brand"]) })).toBeUndefined();
  expect(await ask({ filters: { terms: [["brand:x"], ["category:cafe"]] } })).toBeUndefined();
  expect(await ask({ filters: {} })).toBeUndefined();
  expect(await ask({ circle: { lat: 1, lon: 1, radiusMeters: 1 } })).toBeUndefined();
  expect(await ask({ collections: ["place", "place_building"] })).toBeUndefined();
});

test("REST streams all records, with the same bytes as the command line", async () => {
  const api = createApi({ dataset: openNodeDataset(withTable) });
  const query = `country=${countries.join(",")}&categories=restaurant&includes=names,websites`;
  const response = await api(new Request(`http://maps.example/export/places?${query}&format=csv`));
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const { bytes } = await exported(
    withTable,
    `/places?country=${countries.join(",")}&categories=restaurant`,
    "csv",
    "names,websites",
  );
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  for (const [wrong, message] of [
    ["country=FR&limit=5", "limit"],
    ["country=FRA", "country"],
    ["categories=cafe", "lat and lng, or country"],
  ] as const) {
    const refused = await api(new Request(`http://maps.example/export/places?${wrong}`));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(message);
  }
});

/** Python with pyarrow runs a program with `url` of a dataset. Undefined if it is not installed. */
async function inPython(url: string, program: string): Promise<string | undefined> {
  const python = await pythonWith(["pyarrow", "geopandas", "duckdb", "polars"]);
  if (typeof python === "string") {
    if (process.env.CI) throw new Error(python);
    return undefined;
  }
  const setup = `import sys, json; sys.path.insert(0, "data/python"); import cairn_reader; url = ${JSON.stringify(url)}`;
  return python(["-c", `${setup}\n${program}`]);
}

test("the line of the docs reads the rows of an export, in its order", async ({ skip }) => {
  const [, line = ""] =
    /```text\n(cairn_reader\.open.*)\n```/.exec(await readFile("docs/guides/python.md", "utf8")) ?? [];
  const ask = `
rows = ${line}
print(json.dumps([[row.id, row.names["primary"], list(row.websites) if row.websites is not None else None] for row in rows.itertuples()]))`;
  const said = await inPython(withTable, ask);
  if (said === undefined) return skip("pyarrow is not installed");
  const { bytes } = await exported(withTable, "/places?country=FR,DE&categories=cafe", "json", "names,websites");
  const features = JSON.parse(bytes.toString()) as {
    id: string;
    properties: { names: { primary: string }; websites?: string[] };
  }[];
  expect(features.length).toBeGreaterThan(0);
  expect(JSON.parse(said)).toEqual(
    features.map(({ id, properties: { names, websites } }) => [id, names.primary, websites ?? null]),
  );
});

test("Python reads as few bytes over HTTP as other interfaces, and several categories once", async ({ skip }) => {
  const host = await startStaticServer({ folders: { "/": withTable } });
  try {
    const codes = countries.map((code) => JSON.stringify(code)).join(", ");
    const read = (category: string) =>
      inPython(
        host.url,
        `print(json.dumps(cairn_reader.open(url).table("place", ${category}, [${codes}], ["names", "websites"])["id"].to_pylist()))`,
      );
    const one = await read('"restaurant"');
    if (one === undefined) return skip("pyarrow is not installed");
    const { reads, opened } = counting(withTable);
    const table = await opened.table({
      collections: ["place"],
      country: countries,
      filters: { terms: [["category:restaurant"]] },
      properties: new Set(["names", "websites"]),
    });
    const ids: string[] = [];
    for await (const page of table?.pages() ?? []) for (const { id } of page.features()) ids.push(id);
    expect(JSON.parse(one)).toEqual(ids);
    const sums = (files: readonly { path: string; bytes: number }[]) => {
      const own = files.filter(({ path }) => path.includes("tables/"));
      return [own.length, own.reduce((sum, { bytes }) => sum + bytes, 0)];
    };
    expect(sums(host.sent)).toEqual(sums(reads));
    const several = JSON.parse((await read('["restaurant", "cafe", "bar"]')) ?? "") as string[];
    const { bytes } = await exported(
      withTable,
      `/places?country=${countries.join(",")}&categories=restaurant,cafe,bar`,
      "json",
      "names",
    );
    expect(several).toEqual((JSON.parse(bytes.toString()) as { id: string }[]).map(({ id }) => id));
    expect(new Set(several).size).toBe(several.length);
  } finally {
    await host.close();
  }
});

test("in Python, no rows are a table without rows, and a wrong question is an error", async ({ skip }) => {
  const ask = `
dataset = cairn_reader.open(url)
print(len(dataset.table("place", "no_such_category", columns=["names"])), dataset.table("place", "no_such_category").schema.names)
for question in [dict(category="cafe", country="XX"), dict(category="cafe", columns=["colour"]), dict(category="cafe", country=[])]:
    try:
        print(len(dataset.table("place", **question)))
    except cairn_reader.CairnError as error:
        print(error)`;
  const said = await inPython(withTable, ask);
  if (said === undefined) return skip("pyarrow is not installed");
  const lines = said.trim().split("\n");
  expect(lines[0]).toBe("0 ['country', 'id', 'geometry', 'names', 'addresses', 'websites', 'phones', 'confidence']");
  expect(lines[1]).toContain("country XX, expected some of");
  expect(lines[2]).toContain("no column colour");
  expect(lines[3]).toContain("country [], expected some of");
});

describe("many rows of one country", () => {
  const MANY = 60_000;
  let many: string;
  beforeAll(async () => {
    const own = join(await newFolder(), "theme=places/type=place");
    await mkdir(own, { recursive: true });
    many = join(own, "../../../dataset");
    // texts that do not compress, so that the columns take several ranges
    const texts = [1, 2, 3, 4, 5].map((part) => `md5(id || n || '${part}')`).join(" || ");
    await database.run(`COPY (
      SELECT * REPLACE (md5(id || n) AS id, ['https://' || ${texts}] AS websites,
        struct_pack("primary" := 'restaurant', alternate := NULL::VARCHAR[]) AS categories)
      FROM read_parquet('data/sample/monaco/place.parquet'), range(200) numbers(n) ORDER BY id, n LIMIT ${MANY}
    ) TO ${quoteLiteral(join(own, "part-0.parquet"))} (FORMAT parquet)`);
    await buildDataset({
      ...{ sources: [join(own, "../..")], out: many, level: "fast", release: "1" },
      columnTables: parseColumnTables("place:names,websites"),
    });
  });
  const REQUEST =
    "http://maps.example/export/places?country=FR,MC&categories=restaurant&includes=names,websites&format=csv";

  test("REST sends the first rows before it reads the last ones, and each row once", async () => {
    const { reads, opened } = counting(many);
    const response = await createApi({ dataset: opened })(new Request(REQUEST));
    const reader = response.body?.getReader() ?? failed();
    const chunks = [(await reader.read()).value ?? failed()];
    const before = reads.filter(({ path }) => path.startsWith("tables/")).length;
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    const after = reads.filter(({ path }) => path.startsWith("tables/"));
    expect(before).toBeLessThan(after.length);
    // a range of 4 MiB, and the footers
    const most = Math.max(...after.map(({ bytes }) => bytes));
    expect(most).toBeLessThanOrEqual(4 * 1024 * 1024);
    const lines = Buffer.concat(chunks).toString().trimEnd().split(/\r?\n/).slice(1);
    const ids = lines.map((line) => line.slice(0, line.indexOf(",")));
    expect(ids.length).toBe(MANY);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test("a caller who leaves ends the reading", async () => {
    const { reads, opened } = counting(many);
    const response = await createApi({ dataset: opened })(new Request(REQUEST));
    const reader = response.body?.getReader() ?? failed();
    await reader.read();
    await reader.cancel();
    await setTimeout(300);
    const before = reads.length;
    await setTimeout(300);
    expect(reads.length).toBe(before);
    const whole = (await readdir(join(many, "tables/place"))).length;
    expect(whole).toBeGreaterThan(0);
    expect(reads.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(12_000_000);
  });
});

test("the same input gives the same files", async () => {
  const again = join(folder, "again");
  await buildDataset({
    ...{ sources: [source], release: "1", level: "fast", out: again, taskRows: 5_000 },
    columnTables: parseColumnTables("place"),
  });
  expect(await hashTree(again)).toEqual(await hashTree(withTable));
});

test("verify accepts the table, and finds files that are damaged or differ from the primary copy", async () => {
  expect((await verifyDataset(withTable)).flatMap(({ faults }) => faults)).toEqual([]);
  const changed = join(folder, "changed");
  await cp(withTable, changed, { recursive: true });
  const [file = ""] = (await readdir(join(changed, "tables/place"))).sort();
  const bytes = await readFile(join(changed, "tables/place", file));
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  await writeFile(join(changed, "tables/place", file), bytes);
  const faults = (await verifyDataset(changed)).flatMap(({ faults: own }) => own);
  expect(faults.join("\n")).toMatch(/tables\/place.*SHA-256/);
});

test.each([
  ["is missing", async (file: string) => rm(file), /tables\/place/],
  ["is a web page", async (file: string) => writeFile(file, "<!doctype html><title>404</title>"), /tables\/place/],
  [
    "has a wrong byte in a column",
    async (file: string) => {
      const bytes = await readFile(file);
      for (let at = 1000; at < bytes.length - 200_000; at += 500) bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(file, bytes);
    },
    /damaged column chunk/,
  ],
  [
    "has a wrong byte in its footer",
    async (file: string) => {
      const bytes = await readFile(file);
      bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
      await writeFile(file, bytes);
    },
    /SHA-256/,
  ],
] as const)("a file that %s is an error, never fewer rows", async (_, damage, message) => {
  const files = (await readdir(join(withTable, "tables/place"))).map((name) => join(withTable, "tables/place", name));
  const kept = await Promise.all(files.map((file) => readFile(file)));
  try {
    for (const file of files) await damage(file);
    const out = join(await newFolder(), "a.csv");
    await writeFile(out, "as before");
    const asked = exportFile({
      dataset: withTable,
      request: `/places?country=${countries.join(",")}&categories=restaurant`,
      columns: "names,websites",
      out,
    });
    await expect(asked).rejects.toThrow(message);
    expect(await readFile(out, "utf8")).toBe("as before");
    const said = await inPython(
      withTable,
      `
try:
    print(len(cairn_reader.open(url).table("place", "restaurant", columns=["names", "websites"])))
except cairn_reader.CairnError as error:
    print("CairnError", error)`,
    );
    if (said !== undefined) expect(said).toMatch(/^CairnError .*tables\/place/);
  } finally {
    for (const [index, file] of files.entries()) await writeFile(file, kept[index] ?? "");
  }
});

test.each([
  ["place:name", /no column name/],
  ["building", /sources have no building/],
  ["place;place", /named twice/],
  ["place:", /expected collections/],
])("--tables %s is an error", async (text, message) => {
  const build = async () =>
    buildDataset({ sources: [source], out: join(folder, "wrong"), columnTables: parseColumnTables(text) });
  await expect(build()).rejects.toThrow(message);
});
