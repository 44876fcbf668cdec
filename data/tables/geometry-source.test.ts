import { describe, expect, test } from "vitest";
import { writeWkt } from "../format/wkt.ts";
import { type ReadOptions, readTable } from "./index.ts";
import { read } from "./testing/read.ts";

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
    for (const names of ["lat,ns,lng,ew", "lat,lat_dir,lng,lng_dir"])
      expect(await pointsOf(`${names}\n48.1,S,11.5,W\n`)).toEqual(["POINT (-11.5 -48.1)"]);
  });

  test.each(["direction", "dir"])("a column %s may be the direction of travel", async (name) => {
    for (const letter of ["S", "W"])
      expect(await pointsOf(`lat,lng,${name}\n48.1,11.5,${letter}\n`)).toEqual(["POINT (11.5 48.1)"]);
  });

  test("minutes that are no number are a reject with their column", async () => {
    expect(await read("a.csv", "lat_deg,lat_min,lon_deg,lon_min\n48,x,11,30\n48,6,11,30\n")).toMatchObject({
      rows: [["POINT (11.5 48.1)", 48, 6, 11, 30]],
      rejects: ["line 2: not a coordinate (lat_min: x)"],
    });
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
