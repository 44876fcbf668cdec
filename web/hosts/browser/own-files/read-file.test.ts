import { expect, test } from "vitest";
import { type FileFault, MOST_FILE_BYTES, MOST_FILE_ROWS } from "../protocol/file-calls.ts";
import { FileError, readFile } from "./read-file.ts";

const fileOf = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);
const read = (name: string, content: string | Uint8Array<ArrayBuffer>) => readFile(fileOf(name, content));

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

test("rows have the values of their columns, and others are counted", async () => {
  const text =
    "name,lat,lon,seats,note\n<img src=x onerror=alert(1)>,1,2,12,\nb,,,,\nc,91,0,,\nd,here,0,,\ne,1,1e3,,\n";
  expect(await read("a.csv", text)).toEqual({
    rows: [{ geometry: point(2, 1), properties: { name: "<img src=x onerror=alert(1)>", seats: 12 } }],
    leftOut: 4,
  });
});

test("features keep nested properties and their id", async () => {
  const feature = { type: "Feature", id: "b", geometry: point(7.4, 43.7), properties: { deep: { of: [1, null] } } };
  expect(await read("a.geojson", JSON.stringify(feature))).toEqual({
    rows: [{ geometry: point(7.4, 43.7), properties: { id: "b", deep: { of: [1, null] } } }],
    leftOut: 0,
  });
});

test("a row with an endless geometry is left out, the others are taken", async () => {
  const nested = "GEOMETRYCOLLECTION(".repeat(20_000);
  const text = `name,wkt\nPort,POINT (7.4 43.7)\ndeep,"${nested}POINT (1 2)${")".repeat(20_000)}"\n`;
  expect(await read("a.csv", text)).toMatchObject({ rows: [{ geometry: point(7.4, 43.7) }], leftOut: 1 });
});

const collection = (members: object, ...features: object[]) =>
  JSON.stringify({ type: "FeatureCollection", features, ...members });
const named = (name: string) => ({ crs: { type: "name", properties: { name } } });
const feature = (geometry: unknown) => ({ type: "Feature", geometry, properties: {} });

test.each([
  ["photo.png", "\u0089PNG", { code: "format", got: ".png" }],
  ["roads", "some words", { code: "format", got: "roads" }],
  ["a.csv", "name,street,lat\nPort,Quai,1\n", { code: "columns", columns: ["name", "street", "lat"] }],
  ["a.csv", "name,x,y\nPort,448251,5411932\n", { code: "units", example: "448251, 5411932" }],
  ["a.geojson", collection({}), { code: "empty", leftOut: 0 }],
  [
    "a.geojson",
    collection({}, feature(point(0, 100)), feature(null), feature(point(0, 95))),
    { code: "empty", leftOut: 3 },
  ],
  ["a.geojson", collection(named("local grid"), feature(point(0, 1))), { code: "crs", crs: "local grid" }],
  ["a.geojson", '{"type": "FeatureCollection"', { code: "damaged" }],
  ["a.parquet", "PAR1 and no more", { code: "damaged" }],
])("%s with %j is refused with the reason", async (name, content, fault) => {
  expect(await faultOf(read(name, content))).toMatchObject(fault);
});

test("files that are too large or too long are refused with their size", async () => {
  const large = new File([new Uint8Array(MOST_FILE_BYTES + 1)], "a.csv");
  expect(await faultOf(readFile(large))).toEqual({ code: "bytes", bytes: MOST_FILE_BYTES + 1 });
  const long = `lat,lon\n${"1,2\n".repeat(MOST_FILE_ROWS + 1)}`;
  expect(await faultOf(read("a.csv", long))).toEqual({ code: "rows", rows: MOST_FILE_ROWS + 1 });
  const lines = `lat,lon${"\n".repeat(10 * MOST_FILE_ROWS + 1)}`;
  expect(await faultOf(read("a.csv", lines))).toEqual({ code: "rows", rows: 10 * MOST_FILE_ROWS + 1 });
});
