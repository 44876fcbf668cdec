import { Binary, Field, Schema, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { Compression, Table as ParquetTable, WriterPropertiesBuilder, writeParquet } from "parquet-wasm/node";
import { describe, expect, test } from "vitest";
import { writeWkb } from "../../../../data/format/write-wkb.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { type FileFault, MOST_FILE_BYTES, MOST_FILE_ROWS } from "../protocol/file-calls.ts";
import { FileError } from "./file-rows.ts";
import { readFile } from "./read-file.ts";

const fileOf = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);
const read = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  readFile(fileOf(name, content), decodeParquet);

async function faultOf(reading: Promise<unknown>): Promise<FileFault | undefined> {
  try {
    await reading;
    return undefined;
  } catch (error) {
    if (error instanceof FileError) return error.fault;
    throw error;
  }
}

const point = (lon: number, lat: number) => ({ type: "Point", coordinates: [lon, lat] }) as const;
const feature = (geometry: unknown, properties: object | null = {}) => ({ type: "Feature", geometry, properties });
const collection = (...features: object[]) => JSON.stringify({ type: "FeatureCollection", features });

function parquetOf(metadata: object | undefined): Uint8Array<ArrayBuffer> {
  const geometry = vectorFromArray([writeWkb(point(7.4, 43.7)), null, writeWkb(point(7.5, 143))], new Binary());
  const name = vectorFromArray(["Port", "Nowhere", "Beyond"], new Utf8());
  const plain = new Table({ geometry, name });
  const fields = plain.schema.fields.map((field) => new Field(field.name, field.type, true));
  const schema = new Schema(fields, new Map(metadata ? [["geo", JSON.stringify(metadata)]] : []));
  const table = new Table(schema, plain.batches);
  const properties = new WriterPropertiesBuilder().setCompression(Compression.UNCOMPRESSED).build();
  return writeParquet(ParquetTable.fromIPCStream(tableToIPC(table, "stream")), properties).slice();
}

describe("GeoJSON", () => {
  test("features with a position on the globe become rows, the others are counted", async () => {
    const text = collection(
      feature(point(7.4, 43.7), { name: "Port", deep: { of: [1, null] } }),
      feature(null, { name: "nowhere" }),
      feature(point(7.4, 91)),
      feature(point(181, 0)),
      feature({ type: "Point", coordinates: ["7", "43"] }),
      feature({ type: "Polygon", coordinates: [] }),
      {
        type: "Feature",
        id: "b",
        geometry: {
          type: "LineString",
          coordinates: [
            [1, 2, 300],
            [3, 4],
          ],
        },
        properties: null,
      },
    );
    expect(await read("a.geojson", text)).toEqual({
      rows: [
        { geometry: point(7.4, 43.7), properties: { name: "Port", deep: { of: [1, null] } } },
        {
          geometry: {
            type: "LineString",
            coordinates: [
              [1, 2],
              [3, 4],
            ],
          },
          properties: { id: "b" },
        },
      ],
      leftOut: 5,
    });
  });

  test.each([
    ["a feature", JSON.stringify(feature(point(1, 2)))],
    ["a geometry", JSON.stringify(point(1, 2))],
    ["a list of features", JSON.stringify([feature(point(1, 2))])],
    ["a list of objects with coordinates", '[{"Lat": 2, "lng": "1"}]'],
    ["text with a byte order mark", `\ufeff${JSON.stringify(point(1, 2))}`],
  ])("%s is accepted too", async (_, text) => {
    expect((await read("a.json", text)).rows.map(({ geometry }) => geometry)).toEqual([point(1, 2)]);
  });

  test.each([
    ['{"type": "FeatureCollection"', { code: "damaged" }],
    [
      collection(feature(point(0, 1), { deep: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) })),
      { code: "damaged", reason: expect.stringMatching(/nested more than 100 deep/) },
    ],
    ['{"some": 1, "thing": 2}', { code: "columns", columns: ["some", "thing"] }],
    [collection(), { code: "empty", leftOut: 0 }],
    [collection(feature(point(0, 100)), feature(null)), { code: "empty", leftOut: 2 }],
    [
      '{"type":"FeatureCollection","features":[],"crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::2154"}}}',
      { code: "crs" },
    ],
  ])("%s is refused", async (text, fault) => {
    expect(await faultOf(read("a.geojson", text))).toMatchObject(fault);
  });
});

describe("CSV", () => {
  test.each([
    ["name,lat,lng\nPort,43.7,7.4\n", "commas"],
    ["name;Latitude;Longitude\nPort;43,7;7,4\n", "semicolons and decimal commas"],
    ["name\ty\tx\nPort\t43.7\t7.4\n", "tabs"],
    ['name,WKT\nPort,"POINT (7.4 43.7)"\n', "WKT"],
    ['name,geometry\nPort,"SRID=4326;POINT Z (7.4 43.7 12)"\n', "EWKT with a height"],
    ['name,geojson\nPort,"{""type"":""Point"",""coordinates"":[7.4,43.7]}"\n', "GeoJSON"],
  ])("%j is read: %s", async (text) => {
    const { rows, leftOut } = await read("a.csv", text);
    expect(rows).toMatchObject([{ geometry: point(7.4, 43.7), properties: { name: "Port" } }]);
    expect(leftOut).toBe(0);
  });

  test("rows without a position on the globe are counted, and markup stays text", async () => {
    const text = "name,lat,lon\n<img src=x onerror=alert(1)>,1,2\nb,,\nc,91,0\nd,here,0\ne,1,1e3\n";
    expect(await read("a.csv", text)).toMatchObject({
      rows: [{ properties: { name: "<img src=x onerror=alert(1)>" } }],
      leftOut: 4,
    });
  });

  test("a row with an infinite geometry is left out, the others are kept", async () => {
    const nested = "GEOMETRYCOLLECTION(".repeat(20_000);
    const text = `name,wkt\nPort,POINT (7.4 43.7)\ndeep,"${nested}POINT (1 2)${")".repeat(20_000)}"\n`;
    expect(await read("a.csv", text)).toMatchObject({ rows: [{ geometry: point(7.4, 43.7) }], leftOut: 1 });
  });

  test("a table from an older program is decoded with its code page", async () => {
    const bytes = Uint8Array.from(Buffer.from("name,lat,lon\nCaf\xe9,1,2\n", "latin1"));
    expect((await read("a.csv", bytes)).rows[0]?.properties.name).toBe("Café");
  });

  test("a table without coordinates is refused, and the error lists its columns", async () => {
    const fault = await faultOf(read("a.csv", "name,street,lat\nPort,Quai,1\n"));
    expect(fault).toEqual({ code: "columns", columns: ["name", "street", "lat"] });
  });
});

describe("GeoParquet", () => {
  test("rows with a position on the globe become rows", async () => {
    const metadata = { version: "1.1.0", primary_column: "geometry", columns: { geometry: { encoding: "WKB" } } };
    const expected = { rows: [{ geometry: point(7.4, 43.7), properties: { name: "Port" } }], leftOut: 2 };
    expect(await read("a.parquet", parquetOf(metadata))).toEqual(expected);
    expect(await read("a.parquet", parquetOf(undefined))).toEqual(expected);
  });

  test.each([
    [{ crs: { id: { authority: "EPSG", code: 2154 } } }, { code: "crs", crs: "EPSG:2154" }],
    [{ encoding: "point" }, { code: "damaged" }],
  ])("%j is refused", async (column, fault) => {
    const bytes = parquetOf({ primary_column: "geometry", columns: { geometry: column } });
    expect(await faultOf(read("a.parquet", bytes))).toMatchObject(fault);
  });

  test("a truncated file is refused", async () => {
    const bytes = parquetOf(undefined);
    expect(await faultOf(read("a.parquet", bytes.slice(0, bytes.length / 2)))).toMatchObject({ code: "damaged" });
  });
});

test.each([
  ["photo.png", "\u0089PNG", { code: "format", got: ".png" }],
  ["roads", "some words", { code: "format", got: "roads" }],
])("%s is refused, and the error names its type", async (name, content, fault) => {
  expect(await faultOf(read(name, content))).toEqual(fault);
});

test("a file that is too large or too long is refused with its size", async () => {
  const large = new File([new Uint8Array(MOST_FILE_BYTES + 1)], "a.csv");
  expect(await faultOf(readFile(large, decodeParquet))).toEqual({ code: "bytes", bytes: MOST_FILE_BYTES + 1 });
  const long = `lat,lon\n${"1,2\n".repeat(MOST_FILE_ROWS + 1)}`;
  expect(await faultOf(read("a.csv", long))).toEqual({ code: "rows", rows: MOST_FILE_ROWS + 1 });
  const lines = "\n".repeat(10 * MOST_FILE_ROWS + 1);
  expect(await faultOf(read("a.csv", lines))).toEqual({ code: "rows", rows: 10 * MOST_FILE_ROWS + 1 });
});

test("brackets inside texts are not nesting", async () => {
  const name = `"\\${"[{".repeat(200)}`;
  expect((await read("a.json", collection(feature(point(1, 2), { name })))).rows[0]?.properties.name).toBe(name);
});
