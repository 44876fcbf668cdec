import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { utils, write } from "@e965/xlsx";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { writeWkt } from "../format/wkt.ts";
import { type ReadOptions, readTable, TableError } from "./index.ts";

const FORMATS = fileURLToPath(new URL("testing/formats/", import.meta.url));
const CASES = fileURLToPath(new URL("testing/cases/", import.meta.url));
const EXPECTED: Readonly<Record<string, unknown>> = JSON.parse(
  await readFile(fileURLToPath(new URL("testing/cases.json", import.meta.url)), "utf8"),
);

async function read(name: string, content: string | Uint8Array, options?: ReadOptions) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    const table = await readTable(name, bytes, options);
    return {
      columns: table.columns.map((column) => `${column.name}: ${column.type}`),
      rows: table.rows.map(({ geometry, values }) => [writeWkt(geometry), ...values]),
      ...(table.rejects.length > 0
        ? { rejects: table.rejects.map(({ line, reason, detail }) => `line ${line}: ${reason} (${detail})`) }
        : {}),
      ...(table.notes.length > 0 ? { notes: table.notes } : {}),
    };
  } catch (error) {
    if (error instanceof TableError) return { error: error.message };
    throw error;
  }
}

/** A workbook; cells are values, or cells of the writer. */
function workbook(
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
  bookType: "xlsx" | "xls" | "ods",
  date1904 = false,
) {
  const book = utils.book_new();
  book.Workbook = { WBProps: { date1904 } };
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows as unknown[][], { UTC: true });
    utils.book_append_sheet(book, sheet, name);
  }
  return new Uint8Array(write(book, { type: "array", bookType }));
}

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

describe("coordinates", () => {
  const pointsOf = async (text: string, options?: ReadOptions) => {
    const found = await read("a.csv", text, options);
    return "rows" in found ? found.rows.map(([wkt]) => wkt) : found.error;
  };
  test.each([
    ["stop_lat,stop_lon", "48.1,11.5"],
    ["decimalLatitude,decimalLongitude", "48.1,11.5"],
    ["GPS Breite;GPS Länge", "48,1;11,5"],
    ["latitudeE7,longitudeE7", "481000000,115000000"],
    ["緯度,経度", "48.1,11.5"],
    ["纬度,经度", "48.1,11.5"],
    ["अक्षांश,देशांतर", "48.1,11.5"],
    ["Breite,Laenge", "48.1,11.5"],
    ["POINT_Y,POINT_X", "48.1,11.5"],
    ["geo_point_2d", '"48.1, 11.5"'],
    ["Koordinaten", "\"48°6'N 11°30'E\""],
    ["緯度,経度", "４８．１,１１．５"],
    ["العرض,الطول", "٤٨٫١,١١٫٥"],
    ["अक्षांश,देशांतर", "४८.१,११.५"],
    ["lat,lng", "\u202a48.1\u202c,\u200b11.5"],
    ["lat,lng", "480600N,0113000E"],
    ["lat,lng", "4806.000N,01130.000E"],
    ["lat_deg,lat_min,lat_sec,lon_deg,lon_min,lon_sec", "48,5,60,11,30,0"],
    ["Latitude,NS,Longitude,EW", "48.1,N,11.5,E"],
    ["Koordinaten", "N 48.1° E 11.5°"],
    ["Koordinaten", "N48 06.000 E011 30.000"],
    ["where", '"48.1, 11.5"'],
    ["where", '"POINT(11.5 48.1)"'],
    ["where", "0101000000000000000000274066666666660c4840".replace("66666666660c4840", "cdcccccccc0c4840")],
    ["place", '"{""lat"":48.1,""lng"":11.5}"'],
    ["geometry", "SRID=4326;POINT(11.5 48.1)"],
  ])("%s: %s", async (names, values) => {
    expect(
      await pointsOf(`name${names.includes(";") ? ";" : ","}${names}\nA${names.includes(";") ? ";" : ","}${values}\n`),
    ).toEqual(["POINT (11.5 48.1)"]);
  });

  test("zones of UTM are read from their own column", async () => {
    const munich = expect.stringMatching(/^POINT \(11\.5789014\d* 48\.1321594\d*\)$/);
    const cape = expect.stringMatching(/^POINT \(18\.4\d* -33\.9\d*\)$/);
    const names = "name,Zone,Easting,Northing\n";
    const rows = "A,32U,691875.6,5334206.1\nB,34H,261000,6243000\n";
    expect(await pointsOf(names + rows)).toEqual([munich, cape]);
    expect(await pointsOf(names + rows.replace("32U", "32N").replace("34H", "34S"))).toEqual([munich, cape]);
    const withHemisphere = "name,UTM Zone,hemisphere,easting,northing\nA,32,N,691875.6,5334206.1\n";
    expect(await pointsOf(withHemisphere)).toEqual([munich]);
    expect(await pointsOf("name,zone,y,x\nA,2C,48.1,11.5\n")).toEqual(["POINT (11.5 48.1)"]);
    // south, or a band in the north
    expect(await pointsOf(`${names}A,30S,400000,4000000\n`)).toMatch(/are not degrees/);
    expect(await pointsOf(`${names}A,32,691875.6,5334206.1\n`)).toMatch(/are not degrees/);
  });

  test("minutes and seconds, and the hemisphere are read from their own columns", async () => {
    const text = "lat_deg,lat_min,lat_sec,lat_dir,lon_deg,lon_min,lon_sec,lon_dir\n48,6,0,S,11,30,0,W\n";
    expect(await pointsOf(text)).toEqual(["POINT (-11.5 -48.1)"]);
    expect(await pointsOf("lat,lng,lat_min,lat_max,size_ns\n48.1,11.5,47,49,S\n")).toEqual(["POINT (11.5 48.1)"]);
  });

  test.each([
    ["location", ["Perth", "Bern"]],
    ["position", ["1234", "1235"]],
    ["shape", ["round", "B12"]],
  ])("%s: words and numbers such as %j are no geohashes", async (name, values) => {
    const text = `name,${name}\n${values.map((value) => `A,${value}`).join("\n")}\n`;
    expect(await pointsOf(text)).toMatch(/no coordinates found in the columns name/);
  });

  test("a geohash without digits is read from a column of geohashes, and from a chosen column", async () => {
    const perth = [expect.stringMatching(/^POINT \(/)];
    expect(await pointsOf("name,geohash\nA,perth\n")).toEqual(perth);
    expect(await pointsOf("name,Geo Hash\nA,perth\n")).toEqual(perth);
    expect(await pointsOf("name,location\nA,perth\n", { geometry: "location" })).toEqual(perth);
    expect(await pointsOf("name,location\nA,u4pruy\nB,qqvj2\n")).toHaveLength(2);
  });

  test.each([
    ["https://www.google.com/maps/@48.1,11.5,17z", "https://maps.app.goo.gl/abc"],
    ["48.1, 11.5", "not known"],
  ])("a column of coordinates such as %s may have another value, %s", async (value, other) => {
    const text = (name: string) => `name,${name}\n${`A,"${value}"\n`.repeat(19)}B,"${other}"\n`;
    const { rows, rejects } = await readTable("a.csv", new TextEncoder().encode(text("link")));
    expect(rows.map(({ geometry }) => writeWkt(geometry))).toEqual(Array(19).fill("POINT (11.5 48.1)"));
    expect(rejects).toMatchObject([{ line: 21, reason: "not a coordinate", detail: `link: ${other}` }]);
    expect((await readTable("a.csv", new TextEncoder().encode(text("Location")))).rows).toEqual(rows);
  });

  test("whole numbers in a column of any name are no coordinates", async () => {
    expect(await pointsOf('name,size\nA,"1.5, 2.5"\nB,"10, 20"\n')).toMatch(/no coordinates found/);
  });

  test("options choose columns and reference system", async () => {
    expect(await pointsOf("a,b\n48.1,11.5\n", { lat: "a", lng: "b" })).toEqual(["POINT (11.5 48.1)"]);
    expect(await pointsOf("a,b\n1,POINT(11.5 48.1)\n", { geometry: "b" })).toEqual(["POINT (11.5 48.1)"]);
    const utm = await readTable("a.csv", new TextEncoder().encode("name,x,y\nA,691875.6,5334206.1\n"), {
      crs: "EPSG:25832",
    });
    expect(utm.crs).toBe("EPSG:25832");
    // coordinates of another system are more than the geometry
    expect(utm.columns.map(({ name }) => name)).toEqual(["name", "x", "y"]);
    const [row] = utm.rows;
    if (row?.geometry.type !== "Point") throw new Error("no point");
    expect(row.geometry.coordinates[0]).toBeCloseTo(11.5789014727, 8);
    expect(row.geometry.coordinates[1]).toBeCloseTo(48.13215947, 8);
  });

  test.each([
    ["a,b\n1,2\n", { lat: "c", lng: "b" }, /--lat c: no such column; the columns are a, b$/],
    ["a,b\n1,2\n", { lat: "a" }, /--lat needs --lng/],
    ["a,b\n1,x\n", { geometry: "b" }, /column b contains no geometries \(for example x\)/],
    ["lat,lng\n151.2,-33.8\n150.1,-33.9\n", {}, /lat contains 151.2.* --lat lng --lng lat if the columns are swapped/],
    ["lat,lng\n1,2\n", { crs: "EPSG:1" }, /EPSG code/],
    ["lat,lng\n1,2\n", { crs: "EPSG:99999" }, /EPSG:99999 is not among the known ones/],
    [
      "name;lat;lng\nA;48.137.154;11.576.124\n",
      {},
      /^the columns lat and lng contain no coordinates \(for example 48\.137\.154 and 11\.576\.124\)/,
    ],
    ["48.1,11.5\n48.2,11.6\n", {}, /no coordinates found in the columns column_1, column_2: choose them with --lat/],
    [
      "2950159\tBerlin\t52.52437\t13.41053\n2867714\tMunich\t48.13743\t11.57549\n",
      {},
      /no coordinates found in the columns column_1, column_2, column_3, column_4: /,
    ],
    ["name,lat_long\nA,x\n", {}, /^no coordinates found in the columns name, lat_long: /],
    ["name,street\nA,B\n", {}, /no coordinates found in the columns name, street: choose them with --lat and --lng/],
    ['name,lat,lng\nA,"1\nB,2,3\n', {}, /line 2 opens a quotation mark that is never closed/],
  ] as const)("%j with %j is refused", async (text, options, message) => {
    expect(await pointsOf(text, options)).toMatch(message);
  });

  test("rows without coordinates are taken where the caller wants them, wrong ones are rejected", async () => {
    const bytes = new TextEncoder().encode(`name,lat,lng\nA,1,2\nB,NULL,NULL\nC,95,2\nD,x,2\n${"E,1,2\n".repeat(9)}`);
    const { rows, rejects } = await readTable("a.csv", bytes, { allowNoGeometry: true });
    expect(rows.slice(0, 2).map(({ line, geometry }) => [line, geometry?.type])).toEqual([
      [2, "Point"],
      [3, undefined],
    ]);
    expect(rejects).toEqual([
      { line: 4, reason: "latitude beyond 90", detail: "95", values: ["C"] },
      { line: 5, reason: "not a coordinate", detail: "lat: x", values: ["D"] },
    ]);
  });
});

describe("sheets of a spreadsheet", () => {
  const about = [["About"], ["This file has shops"]];
  const owners = [
    ["owner", "since"],
    ["B", 1990],
  ];
  const shops = [
    ["name", "lat", "lon"],
    ["A", 1, 2],
  ];
  const others = [
    ["name", "y", "x"],
    ["C", 3, 4],
  ];
  const sheets = { "Read me": about, Owners: owners, Shops: shops, Others: others };

  test.each(["xlsx", "xls", "ods"] as const)("%s: the first with coordinates is read", async (type) => {
    expect(await read("a", workbook(sheets, type))).toEqual({
      columns: ["name: text"],
      rows: [["POINT (2 1)", "A"]],
      notes: ["only the sheet Shops is read, not Read me, Owners, Others"],
    });
  });

  test("hidden sheets come last", async () => {
    const book = utils.book_new();
    for (const name of ["Old", "Shops"])
      utils.book_append_sheet(book, utils.aoa_to_sheet([...others.slice(0, 1), [name, 3, 4]]), name);
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    const { rows, notes } = await readTable("a", new Uint8Array(write(book, { type: "array", bookType: "xlsx" })));
    expect(rows.map(({ values }) => values)).toEqual([["Shops"]]);
    expect(notes).toEqual(["only the sheet Shops is read, not Old"]);
  });

  test("merged rows have the value of the first, and formats of zeros are kept", async () => {
    const book = utils.book_new();
    const plz = (v: number) => ({ t: "n", v, z: "00000" });
    const sheet = utils.aoa_to_sheet([
      ["town", "plz", "lat", "lng"],
      ["Bern", plz(1067), 1, 2],
      [null, plz(20121), 3, 4],
    ]);
    sheet["!merges"] = [utils.decode_range("A2:A3")];
    utils.book_append_sheet(book, sheet, "Shops");
    const { rows } = await readTable("a", new Uint8Array(write(book, { type: "array", bookType: "xlsx" })));
    expect(rows.map(({ values }) => values)).toEqual([
      ["Bern", "01067"],
      ["Bern", "20121"],
    ]);
  });

  test("links that cells do not show have their own column", async () => {
    const book = utils.book_new();
    const linked = (v: string, Target: string) => ({ t: "s", v, l: { Target } });
    const sheet = utils.aoa_to_sheet([
      [null, "site", "mail", "lat", "lng"],
      [null, linked("Shop A", "https://a.example/"), linked("a@a.example", "mailto:a@a.example"), 1, 2],
      [null, "none", "b@b.example", 3, 4],
    ]);
    sheet["!ref"] = "B1:E3";
    utils.book_append_sheet(book, sheet, "Shops");
    const bytes = new Uint8Array(write(book, { type: "array", bookType: "xlsx" }));
    expect(await read("a.xlsx", bytes)).toEqual({
      columns: ["site: text", "mail: text", "site link: text"],
      rows: [
        ["POINT (2 1)", "Shop A", "a@a.example", "https://a.example/"],
        ["POINT (4 3)", "none", "b@b.example", null],
      ],
    });
  });

  test("XML of Excel 2003 is a spreadsheet", async () => {
    const cell = (value: string) => `<Cell><Data ss:Type="String">${value}</Data></Cell>`;
    const row = (...values: readonly string[]) => `<Row>${values.map(cell).join("")}</Row>`;
    const xml = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>${row("name", "lat", "lng")}${row("A", "1", "2")}</Table></Worksheet></Workbook>`;
    expect(await read("a.xls", xml)).toEqual({ columns: ["name: text"], rows: [["POINT (2 1)", "A"]] });
  });

  test("options choose the sheet that has their columns", async () => {
    const { rows } = await readTable("a", workbook(sheets, "xlsx"), { lat: "y", lng: "x" });
    expect(rows.map(({ values }) => values)).toEqual([["C"]]);
  });

  test("without coordinates the first with several columns is read", async () => {
    const bytes = workbook({ "Read me": about, Owners: owners }, "xlsx");
    expect(await read("a", bytes)).toEqual({
      error: expect.stringMatching(/^no coordinates found in the columns owner, since: /),
    });
    const { rows } = await readTable("a", bytes, { allowNoGeometry: true });
    expect(rows.map(({ values }) => values)).toEqual([["B", 1990]]);
    expect(await read("a", workbook({ "Read me": about }, "xlsx"))).toEqual({
      error: expect.stringMatching(/^no coordinates found in the columns About: /),
    });
  });
});

describe("lines and names of text tables", () => {
  test.each([
    ["sep=;\nname;lat;lng\nA;1;2\n", ["name: text"], 1],
    ["# made by hand\n# 2024\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["#name,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["Shops of the town\n\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["My shops,2024\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["My shops\nname;location\nA;1.5, 2.5\n", ["name: text"], 1],
    ["Base,,Coordinates,\nid,name,lat,lng\n1,A,1,2\n", ["id: integer", "name: text"], 1],
    [
      "Shops;2024\nTitel;Stand;WKT;Zahl;Ort\nA;B;POINT(1 2);3;C\n",
      ["Titel: text", "Stand: text", "Zahl: integer", "Ort: text"],
      1,
    ],
    ["Shops;2024\nA;B;Gauss;Zahl;Ort\nA;B;POINT(1 2);3;C\n", ["A: text", "B: text", "Zahl: integer", "Ort: text"], 1],
    ["# from the town, 2024, June\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["name,,lat,lng,\nA,x,1,2,\n", ["name: text", "column_2: text"], 1],
    ["name,Name,name_2,lat,lng\nA,B,C,1,2\n", ["name: text", "Name_3: text", "name_2: text"], 1],
    ["48.1 11.5\n48.2 11.6\n", [], 2],
    ["POINT(1 2)\nPOINT(3 4)\n", [], 2],
    ['"name", "lat", "lng"\n"A, B", "1", "2"\n', ["name: text"], 1],
    ['"name;lat;lng"\n"A;1,5;2,5"\n"B ""x"";3,5;4,5"\n', ["name: text"], 2],
    ["name,lat,lng\nA\0B,1,2\n\0\0\0\0", ["name: text"], 1],
    ['"lat","lng","name"\n"1",1,2,"A"\n"2",3,4,"B"\n', ["column_1: integer", "name: text"], 2],
    ['name,lat,lng\r\n"A\nB",1,2\r\n', ["name: text"], 1],
  ])("%j", async (text, columns, rows) => {
    const found = await read("a.csv", text);
    expect("rows" in found ? [found.columns, found.rows.length] : found).toEqual([columns, rows]);
  });

  test("a row of units is rejected, and does not make numbers texts", async () => {
    const units = "time,latitude,longitude,sst\nUTC,degrees_north,degrees_east,degree_C\n";
    const table = await readTable("a.csv", new TextEncoder().encode(`${units}2024-01-01T00:00:00Z,1,2,12.5\n`));
    expect(table.columns.map(({ type }) => type)).toEqual(["date-time", "number"]);
    expect(table.rejects).toMatchObject([{ line: 2, reason: "not a coordinate", values: ["UTC", "degree_C"] }]);
  });

  test("a row with more fields than names is rejected with its line", async () => {
    const found = await read("a.csv", 'name,lat,lng\n"A\nA",1,2\nB,1,2,3\nC,3,4\n');
    expect(found).toMatchObject({ rejects: ["line 4: too many fields (4 fields, expected 3)"] });
  });

  test.each([
    ["windows-1250", "name;lat;lng\nŁódź, Žižkov;1;2\n", "b\xa3\xf3d\x9f, \x8ei\x9ekov"],
    ["windows-1253", "", "\xc1\xe8\xde\xed\xe1"],
    ["gbk", "", "\xb1\xb1\xbe\xa9\xd5\xbe"],
    ["euc-kr", "", "\xbc\xad\xbf\xef\xbf\xaa"],
    ["windows-1256", "", "\xc8\xd1\xcc \xc7\xe1\xda\xd1\xc8"],
  ])("%s is recognised", async (encoding, _, letters) => {
    const table = await readTable("a.csv", Buffer.from(`name;lat;lng\n${letters};1;2\n`, "latin1"));
    expect(table.encoding).toBe(encoding);
  });
});

describe("answers of services", () => {
  const row = { name: "A", lat: 1, lng: 2 };
  const feature = { type: "Feature", geometry: { type: "Point", coordinates: [2, 1] }, properties: { name: "A" } };
  const esri = { attributes: { name: "A" }, geometry: { x: 2, y: 1 } };
  const left = "the service left out rows (exceededTransferLimit): ask it for all of them";
  test.each([
    [{ response: { venues: [row], confirmed: true } }, ["rows are the members of response.venues"]],
    [{ d: { results: [row] }, count: 1 }, ["rows are the members of d.results"]],
    [
      { type: "FeatureCollection", features: [feature], numberMatched: 9 },
      ["the file has 1 of the 9 rows of its service: ask the service for all of them"],
    ],
    [{ type: "FeatureCollection", features: [feature], numberMatched: 1 }, undefined],
    [{ type: "FeatureCollection", features: [feature], properties: { exceededTransferLimit: true } }, [left]],
    [{ features: [esri], exceededTransferLimit: true }, [left]],
  ])("%j", async (value, notes) => {
    const found = await read("a.json", JSON.stringify(value));
    expect(found).toEqual({ columns: ["name: text"], rows: [["POINT (2 1)", "A"]], ...(notes && { notes }) });
  });

  test.each([
    [{ columns: ["name", "lat", "lng"], index: [0], data: [["A", 1, 2]] }, ["name: text"], ["A"]],
    [{ meta: [{ name: "name" }, { name: "lat" }, { name: "lng" }], data: [["A", 1, 2]] }, ["name: text"], ["A"]],
    [
      { meta: { view: { columns: [{ name: "name" }, { name: "lat" }, { name: "lng" }] } }, data: [["A", "1", "2"]] },
      ["name: text"],
      ["A"],
    ],
    [{ "-Na": { name: "A", lat: 1, lng: 2 } }, ["key: text", "name: text"], ["-Na", "A"]],
    [
      {
        results: {
          bindings: [{ name: { type: "literal", value: "A" }, at: { type: "literal", value: "Point(2 1)" } }],
        },
      },
      ["name: text"],
      ["A"],
    ],
    [
      {
        results: [
          { name: "A", geometry: { location: { lat: 1, lng: 2 }, viewport: { northeast: { lat: 3, lng: 4 } } } },
        ],
      },
      ["name: text", "geometry: json"],
      ["A", { location: { lat: 1, lng: 2 }, viewport: { northeast: { lat: 3, lng: 4 } } }],
    ],
  ])("%j", async (value, columns, values) => {
    expect(await read("a.json", JSON.stringify(value))).toMatchObject({ columns, rows: [["POINT (2 1)", ...values]] });
  });

  test.each([{ error: { code: 400, message: "Invalid URL" } }, { error: "Invalid URL" }, { message: "Invalid URL" }])(
    "%j is an error of a service",
    async (value) => {
      expect(await read("a.json", JSON.stringify(value))).toEqual({
        error: "the file is an error of a service: Invalid URL",
      });
    },
  );

  test("several lists are refused", async () => {
    expect(await read("a.json", JSON.stringify({ a: { b: [row], c: [row] } }))).toMatchObject({
      error: expect.stringMatching(/^the JSON has the members a: /),
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
