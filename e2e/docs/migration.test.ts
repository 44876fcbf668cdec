/** Every query of the guide for users of Overpass and Nominatim has results. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";

const PAGE = "docs/guides/from-overpass-or-nominatim.md";
/** Of the second table, which needs a table of OpenStreetMap's tags. */
const OWN = "/overpass";

const TAGS = [
  { amenity: "toilets", wheelchair: "yes", opening_hours: "24/7" },
  { amenity: "toilets", wheelchair: "no", opening_hours: "Mo-Fr 08:00-18:00" },
  { amenity: "restaurant", name: "Da Mario", cuisine: "italian", opening_hours: "24/7" },
];

/** Queries in the second column, without escapes of the table. */
const queries = Array.from((await readFile(PAGE, "utf8")).matchAll(/^\| .* \| `(\/[^`]+)` \|$/gm), ([, query = ""]) =>
  query.replaceAll("\\|", "|"),
);

let server: RunningServer;
let own: RunningServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-migration-"));
  const elements = TAGS.map((tags, id) => ({ type: "node", id: id + 1, lat: 43.738 + id / 1e4, lon: 7.4246, tags }));
  await writeFile(join(folder, "overpass.json"), JSON.stringify({ version: 0.6, generator: "Overpass API", elements }));
  await buildDataset({ sources: [join(folder, "overpass.json")], out: join(folder, "dataset"), keep: false });
  server = await startServer({ dataset: await buildSample(), port: 0 });
  own = await startServer({ dataset: join(folder, "dataset"), port: 0 });
});
afterAll(async () => {
  await server.close();
  await own.close();
  await rm(folder, { recursive: true });
});

test("the guide has 30 queries that apps send, and two for any tag", () => {
  expect(queries.filter((query) => !query.startsWith(OWN))).toHaveLength(30);
  expect(queries.filter((query) => query.startsWith(OWN))).toHaveLength(2);
});

test.each(queries)("%s has results", async (query) => {
  const response = await fetch(new URL(query, (query.startsWith(OWN) ? own : server).url));
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  const records = Array.isArray(body) ? body : (body.features ?? body.groups ?? [body]);
  expect(records.length).toBeGreaterThan(0);
  expect(body.error).toBeUndefined();
});
