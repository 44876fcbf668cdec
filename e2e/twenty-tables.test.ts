/** Tables in the style of real portals and programs: each is built, verified, searched, filtered, exported and read back. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { storedNames } from "../data/format/own-collections.ts";
import type { OwnColumn } from "../data/format/own-schema.ts";
import { readTable } from "../data/tables/index.ts";
import { type BuildReport, buildDataset } from "../pipeline/builder/dataset/index.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { verifyDataset } from "../pipeline/tools/verify/verify.ts";
import { createApi } from "../web/api/index.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const newFolder = temporaryFolders();
const FORMATS = fileURLToPath(new URL("../data/tables/testing/formats/", import.meta.url));
const ROWS = 12;
const LARGE_ROWS = 100_000;

type Row = (index: number) => readonly string[];

/** Text with a delimiter; values with it are in quotation marks. */
function delimited(header: readonly string[], row: Row, { delimiter = ",", end = "\n", rows = ROWS } = {}): string {
  const cell = (text: string) =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [header, ...Array.from({ length: rows }, (_, index) => row(index))];
  return lines.map((cells) => cells.map(cell).join(delimiter)).join(end) + end;
}

const lat = (index: number) => (48 + (index % 300) / 100).toFixed(4);
const lng = (index: number) => (9 + (index % 500) / 100).toFixed(4);
const kind = (index: number, kinds: readonly string[]) => kinds[index % kinds.length] ?? "";
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

const feature = (index: number, properties: object, geometry: object) => ({
  type: "Feature",
  properties: { ref: `f${index}`, ...properties },
  geometry,
});
const point = (index: number) => ({ type: "Point", coordinates: [Number(lng(index)), Number(lat(index))] });
const all = <T>(make: (index: number) => T) => Array.from({ length: ROWS }, (_, index) => make(index));

/** File, content, and how many rows have no coordinates. */
const TABLES: readonly (readonly [file: string, content: Uint8Array])[] = [
  // GTFS
  [
    "gtfs_stops.csv",
    utf8(
      delimited(["stop_id", "stop_name", "stop_lat", "stop_lon", "location_type", "wheelchair_boarding"], (i) => [
        `S${i}`,
        `Stop ${i}, North`,
        lat(i),
        lng(i),
        kind(i, ["0", "1"]),
        kind(i, ["", "1", "2"]),
      ]),
    ),
  ],
  // GBIF: tabs, a date with mixed precision
  [
    "gbif.tsv",
    utf8(
      delimited(
        ["gbifID", "scientificName", "decimalLatitude", "decimalLongitude", "eventDate", "individualCount"],
        (i) => [`${40 + i}`, `Parus major L., ${i}`, lat(i), lng(i), kind(i, ["2021-05", "2021"]), kind(i, ["1", ""])],
        { delimiter: "\t" },
      ),
    ),
  ],
  // a German authority: semicolons, decimal commas, Windows-1252, CRLF
  [
    "spielplaetze.csv",
    latin1(
      delimited(
        ["Nr", "Straße", "Größe m²", "Breitengrad", "Längengrad", "Eröffnet"],
        (i) => [
          `0${i}`,
          `Grünstraße ${i}`,
          `1.${200 + i},5`,
          lat(i).replace(".", ","),
          lng(i).replace(".", ","),
          `${10 + i}.05.2020`,
        ],
        { delimiter: ";", end: "\r\n" },
      ),
    ),
  ],
  // Excel's Unicode text
  [
    "excel_unicode.txt",
    utf16(
      delimited(
        ["Código", "Nombre", "Latitud", "Longitud", "Activo"],
        (i) => [`C${i}`, `Farmacia Ñ ${i}`, lat(i), lng(i), kind(i, ["true", "false"])],
        { delimiter: "\t", end: "\r\n" },
      ),
    ),
  ],
  // Opendatasoft: geo_point_2d in one column
  [
    "velib.csv",
    utf8(
      delimited(
        ["stationcode", "nom", "capacity", "geo_point_2d", "arrondissement"],
        (i) => [`16${100 + i}`, `Gare n° ${i}`, `${20 + i}`, `${lat(i)}, ${lng(i)}`, kind(i, ["Paris", "Clichy"])],
        { delimiter: ";" },
      ),
    ),
  ],
  // Socrata: a point as WKT
  [
    "socrata.csv",
    utf8(
      delimited(["Permit ID", "Applicant", "FacilityType", "Location", "Approved"], (i) => [
        `P-${i}`,
        `Truck "${i}"`,
        kind(i, ["Truck", "Push Cart"]),
        `POINT (${lng(i)} ${lat(i)})`,
        `2024-01-${String(i + 1).padStart(2, "0")}T10:00:00.000`,
      ]),
    ),
  ],
  // PostGIS: EWKT in Web Mercator
  [
    "postgis.csv",
    utf8(
      delimited(["ref", "label", "geom"], (i) => [
        `r${i}`,
        `Sensor ${i}`,
        `SRID=3857;POINT(${1_000_000 + 1000 * i} ${6_100_000 + 1000 * i})`,
      ]),
    ),
  ],
  // a Japanese city: names of columns and values
  [
    "shisetsu.csv",
    utf8(
      `\ufeff${delimited(["番号", "施設名", "緯度", "経度", "種別"], (i) => [`${i + 1}`, `公園${i}`, `35.${600 + i}`, `139.${700 + i}`, kind(i, ["公園", "図書館"])])}`,
    ),
  ],
  // Italian opening table with a sep= line and pipes
  [
    "musei.csv",
    utf8(
      `sep=|\n${delimited(["Codice", "Denominazione", "Lat", "Long", "Orario"], (i) => [`M${i}`, `Museo ${i}`, lat(i), lng(i), "Mo-Fr 09:00-18:00"], { delimiter: "|" })}`,
    ),
  ],
  // degrees, minutes and seconds
  [
    "leuchttuerme.csv",
    utf8(
      delimited(
        ["ref", "name", "latitude", "longitude", "height"],
        (i) => [`L${i}`, `Light ${i}`, `54°${10 + i}'30"N`, `8°${10 + i}'15"E`, `${10 + i}.5`],
        { delimiter: ";" },
      ),
    ),
  ],
  // plus codes
  [
    "plus_codes.csv",
    utf8(
      delimited(["ref", "title", "plus_code"], (i) => [
        `p${i}`,
        `House ${i}`,
        `8FVC9G8F+${kind(i, ["5W", "6X", "7V"])}`,
      ]),
    ),
  ],
  // ArcGIS: Esri JSON in Web Mercator with dates
  [
    "arcgis.json",
    utf8(
      JSON.stringify({
        spatialReference: { wkid: 102100, latestWkid: 3857 },
        fields: [{ name: "INSPECTED", type: "esriFieldTypeDate" }],
        features: all((i) => ({
          attributes: { OBJECTID: i + 1, SITE_NAME: `Hydrant ${i}`, INSPECTED: 1_700_000_000_000 + i * 86_400_000 },
          geometry: { x: 1_000_000 + i * 100, y: 6_000_000 },
        })),
      }),
    ),
  ],
  // GeoJSON of a city with lists, objects, nulls and areas
  [
    "parks.geojson",
    utf8(
      JSON.stringify({
        type: "FeatureCollection",
        crs: { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } },
        features: all((i) => {
          const [x, y] = [9 + i / 10, 48];
          const ring = [
            [x, y],
            [x + 0.01, y],
            [x + 0.01, y + 0.01],
            [x, y + 0.01],
            [x, y],
          ];
          const properties = { name: `Park ${i}`, sports: ["tennis", `s${i}`], owner: { city: true }, empty: null };
          return feature(i, properties, { type: "Polygon", coordinates: [ring] });
        }),
      }),
    ),
  ],
  // GeoJSON per line with a number or a text in the same column
  [
    "sensors.geojsonl",
    utf8(
      all((i) => JSON.stringify(feature(i, { value: i % 3 === 0 ? "n/a" : i, unit: "µg/m³" }, point(i)))).join("\n"),
    ),
  ],
  // an API's list of objects
  [
    "stations.json",
    utf8(
      JSON.stringify({
        stations: all((i) => ({
          ref: `s${i}`,
          title: `Station ${i}`,
          lat: Number(lat(i)),
          lng: Number(lng(i)),
          tags: [],
        })),
      }),
    ),
  ],
  // Overpass
  [
    "overpass.json",
    utf8(
      JSON.stringify({
        version: 0.6,
        osm3s: {},
        elements: all((i) => ({
          ...{ type: "node", id: i + 1, lat: Number(lat(i)), lon: Number(lng(i)) },
          tags: { amenity: kind(i, ["cafe", "bar"]), name: `Café ${i}`, wheelchair: "yes", "name:en": `Coffee ${i}` },
        })),
      }),
    ),
  ],
  // 100,000 rows
  [
    "large.csv",
    utf8(
      delimited(
        ["ref", "name", "lat", "lng", "kind", "price", "opened"],
        (i) => [
          `r${i}`,
          `Shop ${i}`,
          lat(i),
          lng(Math.floor(i / 7)),
          kind(i, ["Bakery", "Books", "Café"]),
          `${(i % 900) / 10}`,
          `20${10 + (i % 15)}-01-02`,
        ],
        { rows: LARGE_ROWS },
      ),
    ),
  ],
];

/** Files that GDAL wrote, under names of their own. */
const WRITTEN = [
  ["shops.gpkg", "from_gpkg.gpkg"],
  ["shops-25832.zip", "from_shapefile.zip"],
  ["shops-3035.fgb", "from_flatgeobuf.fgb"],
  ["shops.xlsx", "from_excel.xlsx"],
  ["shops.ods", "from_ods.ods"],
  ["shops.kml", "from_kml.kml"],
] as const;

const files: { readonly name: string; readonly path: string }[] = [];
let dataset: string;
let report: BuildReport;
let columnsOf: ReadonlyMap<string, readonly OwnColumn[]>;

beforeAll(async () => {
  const folder = await newFolder();
  const put = async (file: string, bytes: Uint8Array) => {
    await writeFile(join(folder, file), bytes);
    files.push({ name: file.split(".")[0] ?? "", path: join(folder, file) });
  };
  for (const [file, content] of TABLES) await put(file, content);
  for (const [from, to] of WRITTEN) await put(to, await readFile(`${FORMATS}${from}`));
  dataset = join(folder, "dataset");
  const columns = new Map<string, readonly OwnColumn[]>();
  report = await buildDataset({
    sources: files.map(({ path }) => path),
    out: dataset,
    level: "fast",
    onTable: ({ name, columns: tableColumns }) => void columns.set(name, tableColumns),
  });
  columnsOf = columns;
});

const ask = (path: string) =>
  createApi({ dataset: openNodeDataset(dataset) })(new Request(`http://cairn.invalid${path}`));

interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

async function rowsOf(path: string): Promise<Feature[]> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json() as Promise<Feature[]>;
}

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

test("more than twenty tables are one dataset, which verifies, and no row is lost", async () => {
  expect(files.length).toBeGreaterThanOrEqual(20);
  expect(report.rejected).toBe(0);
  expect(report.collections.flatMap(({ ignoredColumns }) => ignoredColumns)).toEqual([]);
  expect((await verifyDataset(dataset)).filter(({ faults }) => faults.length > 0)).toEqual([]);
});

describe("every column is read back, filtered and exported", () => {
  test.each([...TABLES.map(([file]) => file), ...WRITTEN.map(([, file]) => file)])("%s", async (file) => {
    const { name, path } = files.find((one) => one.path.endsWith(`/${file}`)) ?? { name: "", path: "" };
    const table = await readTable(path, await readFile(path));
    const found = await rowsOf(`/${name}?limit=500`);
    const isLarge = table.rows.length > 500;
    expect(report.collections.find((one) => one.name === name)?.rows).toBe(table.rows.length);
    if (!isLarge) expect(found.length).toBe(table.rows.length);
    const columns = columnsOf.get(name) ?? [];
    if (table.format !== "osm-json") {
      const names = table.columns.map((column) => column.name);
      expect(columns.map((column) => column.name)).toEqual(storedNames(names));
      if (!isLarge)
        for (const [index, { name: stored }] of columns.entries()) {
          const values = table.rows.map((row) => text(row.values[index]));
          expect([stored, found.map(({ properties }) => text(properties[stored])).sort()]).toEqual([
            stored,
            values.sort(),
          ]);
        }
    }
    // a search around a row finds it, and a filter with its value, too
    const [first] = found;
    const filtered = columns.find((column) => column.hasTerms && text(first?.properties[column.name]) !== "");
    if (filtered && filtered.type === "text") {
      const value = text(first?.properties[filtered.name]);
      const prefix = /^(name|lat|lng|area|at|sort|view|record|type)$/.test(filtered.name) ? "c." : "";
      const matching = await rowsOf(
        `/${name}?${prefix}${encodeURIComponent(filtered.name)}=${encodeURIComponent(value)}&limit=500`,
      );
      expect(matching.map(({ id }) => id)).toContain(first?.id);
      expect(matching.every(({ properties }) => text(properties[filtered.name]) === value)).toBe(true);
    }
    const csv = await (await ask(`/${name}?limit=500&format=csv`)).text();
    const exported = await readTable(`${name}.csv`, new TextEncoder().encode(csv));
    expect(exported.rows.length).toBe(found.length);
  });
});
