import { readFile } from "node:fs/promises";
import { gzipSync, strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readTable } from "./index.ts";

const CSV = "name,lat,lng\nA,1,2\n";
const OSM = '<osm><node id="1" lat="1" lon="2"><tag k="name" v="A"/><tag k="shop" v="yes"/></node></osm>';
const ROW = { geometry: { type: "Point", coordinates: [2, 1] }, values: ["A"] };
const LINE = '{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"A"}}\n';
const zip = (files: Readonly<Record<string, string | Uint8Array>>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === "string" ? strToU8(content) : content]),
    ),
  );

test.each([
  ["map.osm", OSM, "osm-xml"],
  ["a.jsonl", LINE, "geojson"],
  ["a.psv", CSV.replaceAll(",", "|"), "csv"],
  ["a.csv.gz", gzipSync(strToU8(CSV)), "csv"],
  [
    "a/b.zip.kmz",
    zip({
      "doc.kml": `<kml><Placemark><name>A</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>`,
    }),
    "kml",
  ],
])("%s is read", async (name, content, format) => {
  const table = await readTable("a.zip", zip({ [name]: content }));
  expect(table).toMatchObject({ format, rows: [{ geometry: { type: "Point", coordinates: [2, 1] } }] });
});

test("a GeoPackage is read", async () => {
  const table = await readTable(
    "a.zip",
    zip({ "a.gpkg": await readFile(new URL("testing/formats/shops.gpkg", import.meta.url)) }),
  );
  expect([table.format, table.rows.length]).toEqual(["geopackage", 3]);
});

test.each(["LICENSE.txt", "readme.txt", "metadata.json", "Lizenz.txt", "Metadata_Country.csv", "cairn.json"])(
  "%s before a table is not read",
  async (name) => {
    expect(await readTable("a.zip", zip({ [name]: "a, b\n1, 2\n", "data.csv": CSV }))).toMatchObject({
      rows: [ROW],
      notes: [`not read: ${name}`],
    });
  },
);

test("of the tables of GTFS, also in a folder, the stops are read", async () => {
  const files = { "feed/agency.txt": "agency_id\n1\n", "feed/stops.txt": "stop_name,stop_lat,stop_lon\nA,1,2\n" };
  expect(await readTable("a.zip", zip(files))).toMatchObject({ rows: [ROW] });
});

test("of several KML files in KMZ the main one is read", async () => {
  const kml = (name: string) =>
    `<kml><Placemark><name>${name}</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>`;
  expect(
    await readTable("a.kmz", zip({ "files/b.kml": kml("B"), "c.kml": kml("C"), "doc.kml": kml("A") })),
  ).toMatchObject({ rows: [ROW], notes: ["not read: c.kml, files/b.kml"] });
});

test("of several tables the first with coordinates is read", async () => {
  const files = { "a.csv": "id,owner\n1,X\n", "b.csv": CSV, "c.csv": CSV };
  expect(await readTable("a.zip", zip(files))).toMatchObject({ rows: [ROW], notes: ["not read: a.csv, c.csv"] });
  const darwinCore = { "citations.txt": "a text", "multimedia.txt": "id\turl\n1\tx\n", "occurrence.txt": CSV };
  expect(await readTable("a.zip", zip(darwinCore))).toMatchObject({ rows: [ROW] });
  await expect(readTable("a.zip", zip({ "a.csv": "id,owner\n1,X\n", "b.csv": "" }))).rejects.toThrow(
    "no coordinates found in the columns id, owner",
  );
});
