/**
 * Third-party OGC API - Features clients with the Node host.
 * @module
 */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { OgcApiEndpoint } from "@camptocamp/ogc-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { areaOfBox } from "../../data/format/area.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type Dataset, type Feature, openDataset } from "../../web/engine/index.ts";
import { openSample } from "../../web/engine/testing/sample.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { installDebianPackage } from "../support/debian-package.ts";

const run = promisify(execFile);

const BOX = [7.41, 43.73, 7.43, 43.74] as const;
/** Several pages, with another size than GDAL's default of 10. */
const PAGES = ["-oo", "PAGE_SIZE=200"] as const;

let server: RunningServer;
let dataset: Dataset;
beforeAll(async () => {
  const sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  // Without a public URL, links on this machine are still absolute.
  server = await startServer({ dataset: sample.folder, port: 0 });
});
afterAll(() => server.close());

/** Records that intersect the box, by id. */
async function recordsInBox(collection: CollectionName): Promise<Feature[]> {
  const area = areaOfBox(BOX);
  const { features } = await dataset.search({ collections: [collection], area, offset: 0, limit: 25_000 });
  return [...features()].sort((a, b) => compareIds(a.id, b.id));
}

async function idsInBox(collection: CollectionName): Promise<string[]> {
  return (await recordsInBox(collection)).map(({ id }) => id);
}

test("ogc-client reads the metadata and pages of items", async () => {
  const endpoint = new OgcApiEndpoint(`${server.url}ogc`);
  expect(await endpoint.hasFeatures).toBe(true);
  const manifest = await dataset.manifest();
  expect((await endpoint.featureCollections).sort()).toEqual(Object.keys(manifest.collections).sort());
  const info = await endpoint.getCollectionInfo("place");
  expect(info).toMatchObject({ id: "place", itemType: "feature" });
  const items = await endpoint.getCollectionItems("place", 200, 0, undefined, undefined, [...BOX]);
  const wanted = await idsInBox("place");
  expect(items).toHaveLength(200);
  for (const { id } of items) expect(wanted).toContain(id);
});

/** The reason why GDAL is missing, otherwise undefined. */
function missingGdal(): string | undefined {
  try {
    if (spawnSync("ogr2ogr", ["--version"]).status !== 0) installDebianPackage("gdal-bin");
  } catch (error) {
    return `GDAL is not available: ${String(error).split("\n")[0]}`;
  }
  return undefined;
}

test("GDAL reads the items of a box with every property, null if there is no value", async ({ skip }) => {
  const missing = missingGdal();
  if (missing) return skip(missing);
  for (const collection of ["place", "building", "segment", "division"] as const) {
    const { stdout } = await run(
      "ogr2ogr",
      [
        ...["-f", "GeoJSONSeq", "/vsistdout/", `OAPIF:${server.url}ogc`, collection],
        ...[...PAGES, "-spat", ...BOX.map(String)],
      ],
      { maxBuffer: 2 ** 28 },
    );
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line.replace("\u001e", "")).properties as Feature["properties"])
      .sort((a, b) => compareIds(String(a.id), String(b.id)));
    const schema = await (await fetch(`${server.url}ogc/collections/${collection}/schema`)).json();
    const columns = Object.keys(schema.properties).filter((name) => name !== "geometry");
    const wanted = (await recordsInBox(collection)).map(({ properties }) =>
      Object.fromEntries(columns.map((name) => [name, properties[name] ?? null])),
    );
    expect(wanted.length).toBeGreaterThan(5);
    expect(found).toEqual(wanted);
  }
});

const QGIS = `
import sys
from qgis.core import QgsApplication, QgsFeatureRequest, QgsRectangle, QgsVectorLayer
url, collection, *box = sys.argv[1:]
app = QgsApplication([], False)
app.initQgis()
layer = QgsVectorLayer(f"typename='{collection}' url='{url}' restrictToRequestBBOX='1'", collection, "OAPIF")
request = QgsFeatureRequest().setFilterRect(QgsRectangle(*map(float, box)))
for feature in layer.getFeatures(request):
    print(feature["id"])
`;

test("QGIS's provider reads exactly the items of a box", async ({ skip }) => {
  // Debian's Python, which others may shadow.
  const python = "/usr/bin/python3";
  const hasQgis = () => spawnSync(python, ["-c", "import qgis.core"]).status === 0;
  try {
    if (!hasQgis()) installDebianPackage("python3-qgis");
  } catch (error) {
    return skip(`QGIS is not available: ${String(error).split("\n")[0]}`);
  }
  if (!hasQgis()) return skip(`QGIS is not available: ${python} does not import it`);
  const env = { ...process.env, QT_QPA_PLATFORM: "offscreen" };
  for (const collection of ["place", "building"] as const) {
    const args = ["-c", QGIS, `${server.url}ogc`, collection, ...BOX.map(String)];
    const { stdout } = await run(python, args, { env, maxBuffer: 2 ** 26 });
    expect(stdout.trim().split("\n").sort()).toEqual(await idsInBox(collection));
  }
});
