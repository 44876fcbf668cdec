import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { readTable } from "./index.ts";
import { read, workbook } from "./testing/read.ts";

const FORMATS = fileURLToPath(new URL("testing/formats/", import.meta.url));
const CASES = fileURLToPath(new URL("testing/cases/", import.meta.url));
const EXPECTED: Readonly<Record<string, unknown>> = JSON.parse(
  await readFile(fileURLToPath(new URL("testing/cases.json", import.meta.url)), "utf8"),
);

/** Type and values of a column of an XLSX file. */
async function columnOfSheet(...values: readonly unknown[]) {
  const rows = values.map((value) => [value, 1, 2]);
  const table = await readTable("a.xlsx", workbook({ Shops: [["v", "lat", "lng"], ...rows] }, "xlsx"));
  return [table.columns[0]?.type, ...table.rows.map((row) => row.values[0])];
}

const files = await readdir(CASES);

describe("files that were reported as not readable", () => {
  test("all are expected", () => expect(files.sort()).toEqual(Object.keys(EXPECTED).sort()));
  test.each(files)("%s", async (file) => {
    const found = await read(file, await readFile(`${CASES}${file}`));
    expect("rows" in found ? { ...found, rows: found.rows.slice(0, 5) } : found).toEqual(EXPECTED[file]);
  });
});

describe("the same shops in each format (written by GDAL)", () => {
  const opened = { date: ["2019-05-04", "2020-11-30"], time: ["2019-05-04T00:00:00", "2020-11-30T00:00:00"] };
  const places: readonly (readonly [number, number])[] = [
    [13.3777, 52.5163],
    [9.19, 45.4642],
    [7.42, 43.73],
  ];
  test.each([
    ["shops.fgb", "flatgeobuf", "EPSG:4326", opened.time],
    ["shops-3035.fgb", "flatgeobuf", "EPSG:3035", opened.time],
    ["shops-25832.zip", "shapefile", "ETRS_1989_UTM_Zone_32N", opened.date],
    ["shops.geojsonl", "geojson-lines", "EPSG:4326", opened.date],
    ["shops-ewkt.csv.gz", "csv", "EPSG:4326", opened.date],
    ["shops.gpkg", "geopackage", "EPSG:4326", opened.time],
    ["shops-25832.gpkg", "geopackage", "EPSG:25832", opened.time],
    ["shops.gpx", "gpx", "EPSG:4326", opened.date],
    ["shops.kml", "kml", "EPSG:4326", opened.date],
    ["shops.kmz", "kml", "EPSG:4326", opened.date],
    ["shops.xlsx", "xlsx", "EPSG:4326", opened.date],
    ["shops.ods", "ods", "EPSG:4326", opened.date],
  ])("%s", async (file, format, crs, dates) => {
    const table = await readTable(file, await readFile(`${FORMATS}${file}`));
    expect(table).toMatchObject({ format, crs, rejects: [] });
    const columns = ["name", "plz", "seats", "rating", "opened"];
    const names = table.columns.map(({ name }) => name.replace(/^ogr_/, ""));
    expect(names.filter((name) => name !== "open" && name !== "fid")).toEqual(columns);
    const of = (name: string) => table.rows.map(({ values }) => values[names.indexOf(name)]);
    expect(of("name")).toEqual(["Café Tor", "Duomo Łódź", "東京駅"]);
    expect(of("plz")).toEqual(["01067", "20121", "98000"]);
    expect(of("seats")).toEqual([12, 7, null]);
    expect(of("rating")).toEqual([4.5, 3, null]);
    expect(of("opened")).toEqual([...dates, null]);
    for (const [index, [lng, lat]] of places.entries()) {
      const { geometry } = table.rows[index] ?? {};
      if (geometry?.type !== "Point") throw new Error("no point");
      expect(geometry.coordinates[0]).toBeCloseTo(lng, 6);
      expect(geometry.coordinates[1]).toBeCloseTo(lat, 6);
    }
  });
});

test.each([
  ["https://www.google.com/maps/place/A/@48.2,11.6,17z/data=!4m2!3d48.1!4d11.5", "POINT (11.5 48.1)"],
  ["https://www.google.com/maps/@48.1,11.5,17z", "POINT (11.5 48.1)"],
  ["https://maps.google.com/?q=48.1,-11.5", "POINT (-11.5 48.1)"],
  ["https://www.google.com/maps/search/?api=1&query=48.1%2C11.5", "POINT (11.5 48.1)"],
  ["http://www.google.com/maps/search/48.1,+11.5", "POINT (11.5 48.1)"],
  ["https://maps.apple.com/?ll=48.1,11.5&q=Cafe", "POINT (11.5 48.1)"],
  ["https://www.openstreetmap.org/?mlat=48.1&mlon=11.5#map=17/48.2/11.6", "POINT (11.5 48.1)"],
  ["https://www.openstreetmap.org/#map=17/48.1/11.5", "POINT (11.5 48.1)"],
])("the link %s is read as a point", async (link, wkt) => {
  const { columns, rows } = (await read("a.csv", `Title,URL\nA,"${link}"\n`)) as {
    readonly columns: readonly string[];
    readonly rows: readonly unknown[];
  };
  expect(columns).toEqual(["Title: text", "URL: text"]);
  expect(rows).toEqual([[wkt, "A", link]]);
});

describe("types of columns", () => {
  const typesOf = async (...values: readonly string[]) => {
    const quoted = values.map((value) => `"${value.replaceAll('"', '""')}",1,2`);
    const table = await readTable("a.csv", new TextEncoder().encode(`v,lat,lng\n${quoted.join("\n")}\n`));
    return [table.columns[0]?.type, ...table.rows.map((row) => row.values[0])];
  };
  test.each([
    [
      ["1", "-20", ""],
      ["integer", 1, -20, null],
    ],
    [
      ["'0351", "'+4930"],
      ["text", "'0351", "'+4930"],
    ],
    [
      ['="01067"', '="20121"'],
      ["text", "01067", "20121"],
    ],
    [
      ["01067", "20121"],
      ["text", "01067", "20121"],
    ],
    [
      ["+4930123", "+4940123"],
      ["text", "+4930123", "+4940123"],
    ],
    [["1234567890123456789"], ["text", "1234567890123456789"]],
    [
      [".8", "-.12", "1e-05", "\u22123"],
      ["number", 0.8, -0.12, 0.00001, -3],
    ],
    [
      ["3,5", "1.234,56", "7"],
      ["number", 3.5, 1234.56, 7],
    ],
    [
      ["1,234.5", "2,000"],
      ["number", 1234.5, 2000],
    ],
    [
      ["1 234,5", "12\u00a0345"],
      ["number", 1234.5, 12345],
    ],
    [
      ["1", "NA", "n/a"],
      ["integer", 1, null, null],
    ],
    [
      ["DE", "NA"],
      ["text", "DE", "NA"],
    ],
    [
      ["1", "two"],
      ["text", "1", "two"],
    ],
    [
      ["TRUE", "false", ""],
      ["boolean", true, false, null],
    ],
    [
      ["2024-02-29", "2023-01-01"],
      ["date", "2024-02-29", "2023-01-01"],
    ],
    [["2023-02-29"], ["text", "2023-02-29"]],
    [
      ["31.12.2024", "1.2.2024"],
      ["date", "2024-12-31", "2024-02-01"],
    ],
    [
      ["12/31/2024", "1/2/2024"],
      ["date", "2024-12-31", "2024-01-02"],
    ],
    [["1/2/2024"], ["text", "1/2/2024"]],
    [
      ["2024-05-04 10:30", "2024-05-04T10:30:15+0200"],
      ["date-time", "2024-05-04T10:30:00", "2024-05-04T10:30:15+02:00"],
    ],
    [
      ["2023/05/01 12:00:00+00", "2023/05/02 12:00:00+00"],
      ["date-time", "2023-05-01T12:00:00+00:00", "2023-05-02T12:00:00+00:00"],
    ],
    [
      ['["a","b"]', "[]"],
      ["list", ["a", "b"], []],
    ],
    [
      ['{"a":1}', "[1,{}]"],
      ["json", { a: 1 }, [1, {}]],
    ],
    [["a, b"], ["text", "a, b"]],
  ])("%j", async (values, expected) => expect(await typesOf(...values)).toEqual(expected));

  test.each([
    [
      [3, "n/a", "-"],
      ["integer", 3, null, null],
    ],
    [
      [3.5, "NA"],
      ["number", 3.5, null],
    ],
    [
      [true, "null"],
      ["boolean", true, null],
    ],
    [
      [3, "two", "NA"],
      ["text", "3", "two", "NA"],
    ],
  ])("texts for no value among others in JSON and XLSX: %j", async (values, expected) => {
    const text = JSON.stringify(values.map((v) => ({ v, lat: 1, lng: 2 })));
    const table = await readTable("a.json", new TextEncoder().encode(text));
    expect([table.columns[0]?.type, ...table.rows.map((row) => row.values[0])]).toEqual(expected);
    expect(await columnOfSheet(...values)).toEqual(expected);
  });

  const day = new Date(Date.UTC(2024, 11, 31));
  const noon = new Date(Date.UTC(2024, 11, 31, 12));
  test.each([
    [
      [day, "TBD"],
      ["text", "2024-12-31", "TBD"],
    ],
    [
      [noon, "TBD"],
      ["text", "2024-12-31T12:00:00Z", "TBD"],
    ],
    [
      [day, "-", "n/a"],
      ["date", "2024-12-31", null, null],
    ],
    [
      [day, "1.2.2024"],
      ["date", "2024-12-31", "2024-02-01"],
    ],
    [
      [day, 7, true],
      ["text", "2024-12-31", "7", "true"],
    ],
  ])("dates among other cells of XLSX: %j", async (values, expected) =>
    expect(await columnOfSheet(...values)).toEqual(expected),
  );

  const TIMES: readonly (readonly [number, string, string])[] = [
    [0.375, "hh:mm", "09:00"],
    [0, "h:mm", "00:00"],
    [0.430555555555556, "h:mm", "10:20"],
    [0.75 + 30 / 86_400, "hh:mm:ss", "18:00:30"],
    [1.5, "[h]:mm", "36:00"],
    [0.0625, "[mm]", "01:30"],
    [100, "[h]:mm", "2400:00"],
  ];
  test.each(["xlsx", "xls", "ods"] as const)("times and durations in %s are texts", async (type) => {
    const rows = TIMES.map(([v, z]) => [{ t: "n", v, z }, 1, 2]);
    for (const date1904 of [false, true]) {
      const bytes = workbook({ Shops: [["opens", "lat", "lng"], ...rows] }, type, date1904);
      const table = await readTable("a", bytes);
      expect(table.columns).toEqual([{ name: "opens", type: "text" }]);
      expect(table.rows.map(({ values }) => values[0])).toEqual(TIMES.map(([, , text]) => text));
    }
  });

  test("a text in a cell with the format of dates is kept", async () => {
    expect(await columnOfSheet(day, { t: "s", v: "TBD", z: "yyyy-mm-dd" })).toEqual(["text", "2024-12-31", "TBD"]);
  });

  test("only a format without a day makes a time", async () => {
    expect(await columnOfSheet({ t: "n", v: 0.5, z: "[$-409]h:mm AM/PM" })).toEqual(["text", "12:00"]);
    expect(await columnOfSheet({ t: "n", v: 0.5, z: "yyyy-mm-dd hh:mm" })).toEqual([
      "date-time",
      "1899-12-31T12:00:00Z",
    ]);
    expect(await columnOfSheet({ t: "n", v: 45_000.5, z: "hh:mm" })).toEqual(["date-time", "2023-03-15T12:00:00Z"]);
  });

  test("integers of JSON beyond 53 bits keep their digits", async () => {
    const text =
      '[{"id":1234567890123456789,"n":9007199254740991,"t":"a, 1234567890123456789","lat":1.00000000000000001,"lng":2}]';
    expect(await read("a.json", text)).toMatchObject({
      rows: [["POINT (2 1)", "1234567890123456789", 9007199254740991, "a, 1234567890123456789"]],
    });
  });

  test("JSON has types of its own: numbers in quotation marks are text", async () => {
    const text = '[{"a":"12","b":12,"c":["x",1],"lat":1,"lng":2},{"a":"13","b":1.5,"c":"y","lat":3,"lng":4}]';
    expect(await read("a.json", text)).toEqual({
      columns: ["a: text", "b: number", "c: list"],
      rows: [
        ["POINT (2 1)", "12", 12, ["x", "1"]],
        ["POINT (4 3)", "13", 1.5, ["y"]],
      ],
    });
  });
});

test("descriptions of KML are text, also in CDATA", async () => {
  const place = (text: string) =>
    `<Placemark><description>${text}</description><Point><coordinates>2,1</coordinates></Point></Placemark>`;
  const kml = `<kml><Document>${place("<![CDATA[Open<br>x]]>")}${place("plain")}</Document></kml>`;
  expect(await read("a.kml", kml)).toMatchObject({
    columns: ["description: text"],
    rows: [
      ["POINT (2 1)", "Open<br>x"],
      ["POINT (2 1)", "plain"],
    ],
  });
});

test.each([
  ["photo.png", "\u0089PNG\u0000\u0001\u0002", /photo.png is of no supported format/],
  ["a.gpkg", "SQLite format 3\0", /^the GeoPackage is damaged: /],
  ["a.json", '{"type":"FeatureCollection"', /the JSON is damaged/],
  ["a.json", '{"a":1,"b":2}', /the JSON has the members a, b/],
  ["a.json", `[${"[".repeat(100)}${"]".repeat(100)}]`, /nested more than 100 deep/],
  ["a.parquet", "PAR1 and more", /the Parquet file is damaged/],
  ["a.xml", "<?xml version='1.0'?><rss></rss>", /root element rss/],
  ["a.gml", "<?xml version='1.0'?><wfs:FeatureCollection/>", /is GML, which is not read: ask the service for GeoJSON/],
  ["a.xml", "<?xml version='1.0'?><ExceptionReport>No layer</ExceptionReport>", /is an error of a service: No layer$/],
  ["a.zip", "PK\u0003\u0004 and more", /the archive is damaged/],
  ["a.csv", "name,lat,lon\n", /the table has the columns name, lat, lon and no rows/],
  ["a.csv", "<!DOCTYPE html>\n<html><body>Sign in, please</body></html>", /a.csv is a web page/],
  ["a.csv", "%PDF-1.7\n1 0 obj", /a.csv is a PDF/],
  ["a.csv", "", /a.csv is empty/],
])("%s with %j is refused", async (name, content, message) => {
  const found = await read(name, Buffer.from(content, "latin1"));
  expect("error" in found ? found.error : found).toMatch(message);
});

describe("a small Parquet file that decodes to more bytes than allowed is refused", () => {
  const ROWS = 10_000;
  const ones: readonly number[] = Array(ROWS).fill(1);
  const columns = (data: readonly unknown[], type: "STRING" | "DOUBLE") => [
    { name: "lat", data: [...ones], type: "DOUBLE" as const },
    { name: "lon", data: [...ones], type: "DOUBLE" as const },
    { name: "value", data: [...data], type },
  ];
  const CASES: readonly (readonly [string, ReturnType<typeof columns>, number])[] = [
    ["equal numbers", columns(ones, "DOUBLE"), 100_000],
    [
      "long texts",
      columns(
        ones.map((_, i) => `${i}${"a".repeat(1000)}`),
        "STRING",
      ),
      5_000_000,
    ],
    ["a text that is stored once", columns(Array(ROWS).fill("a".repeat(1000)), "STRING"), 5_000_000],
  ];

  test.each(CASES)("%s", async (_, columnData, maxBytes) => {
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
    expect(bytes.length).toBeLessThan(maxBytes / 2);
    await expect(readTable("a.parquet", bytes, { maxBytes })).rejects.toMatchObject({
      message: expect.stringContaining(`at most ${maxBytes} are read: split it`),
      fault: { code: "bytes" },
    });
    expect((await readTable("a.parquet", bytes, { maxBytes: 100_000_000 })).rows).toHaveLength(ROWS);
  });
});
