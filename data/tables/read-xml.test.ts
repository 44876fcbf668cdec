import { expect, test } from "vitest";
import { readTable } from "./index.ts";

const read = async (name: string, text: string) => {
  const { columns, rows, rejects } = await readTable(name, new TextEncoder().encode(text));
  const names = columns.map((column) => column.name);
  return {
    types: Object.fromEntries(columns.map((column) => [column.name, column.type])),
    rows: rows.map(({ geometry, values }) => ({
      geometry,
      ...Object.fromEntries(values.map((value, at) => [names[at], value])),
    })),
    rejects,
  };
};
const POINT = { type: "Point", coordinates: [2, 1] };
const place = (content: string) => `<Placemark>${content}<Point><coordinates>2,1</coordinates></Point></Placemark>`;

test.each([
  [
    "a.kml",
    '<k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Placemark><k:name><![CDATA[<k:b>]]></k:name><k:Point><k:coordinates>2,1</k:coordinates></k:Point></k:Placemark></k:kml>',
    "<k:b>",
  ],
  [
    "a.gpx",
    '<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat="1" lon="2"><g:name>A</g:name></g:wpt></g:gpx>',
    "A",
  ],
])("%s with the prefix of a namespace is read", async (name, text, expected) => {
  expect((await read(name, text)).rows).toEqual([{ geometry: POINT, name: expected }]);
});

test("values with types of a KML schema are not changed", async () => {
  const row = (open: string, seats: string) =>
    place(
      `<ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="open">${open}</SimpleData><SimpleData name="seats">${seats}</SimpleData></SchemaData></ExtendedData>`,
    );
  const schema = '<Schema id="s"><SimpleField name="open" type="bool"/><SimpleField name="seats" type="int"/></Schema>';
  const { types, rows } = await read("a.kml", `<kml>${schema}${row("true", "12")}${row("false", "")}</kml>`);
  expect(types).toMatchObject({ open: "boolean", seats: "integer" });
  expect(rows).toEqual([
    { geometry: POINT, open: true, seats: 12 },
    { geometry: POINT, open: false, seats: null },
  ]);
});

test("the folder of a placemark is a value where there are several", async () => {
  const folder = (name: string) => `<Folder><name>${name}</name>${place("")}</Folder>`;
  const { rows } = await read("a.kml", `<kml><Document>${folder("Cafés")}${folder("Bars")}</Document></kml>`);
  expect(rows).toEqual([
    { geometry: POINT, folder: "Cafés" },
    { geometry: POINT, folder: "Bars" },
  ]);
  expect((await read("a.kml", `<kml>${folder("Cafés")}</kml>`)).types).toEqual({});
});

test("coordinates with spaces after their commas are read", async () => {
  const line = "<Placemark><LineString><coordinates>2, 1, 0 4, 3, 0</coordinates></LineString></Placemark>";
  const coordinates = [expect.arrayContaining([2, 1]), expect.arrayContaining([4, 3])];
  expect((await read("a.kml", `<kml>${line}</kml>`)).rows).toEqual([{ geometry: { type: "LineString", coordinates } }]);
});

test("KML that only links to another file is refused", async () => {
  const link = "<NetworkLink><Link><href>https://example.com/a.kml</href></Link></NetworkLink>";
  await expect(read("a.kml", `<kml><Document>${link}</Document></kml>`)).rejects.toThrow(
    "the KML only links to https://example.com/a.kml: save that file, and read it",
  );
});

test("tracks and routes of one point are points, and those without are rejected", async () => {
  const point = (name: string, lat: number) => `<${name} lat="${lat}" lon="2"/>`;
  const segment = (lat: number) => `<trkseg>${point("trkpt", lat)}</trkseg>`;
  const { rows, rejects } = await read(
    "a.gpx",
    `<gpx><trk><name>A</name>${segment(1)}</trk><trk><name>B</name>${segment(1)}${segment(3)}</trk><trk><name>C</name></trk><rte><name>D</name>${point("rtept", 1)}</rte><wpt lat="x" lon="2"><name>E</name></wpt></gpx>`,
  );
  expect(rows).toMatchObject([
    {
      geometry: {
        type: "LineString",
        coordinates: [
          [2, 1],
          [2, 3],
        ],
      },
      name: "B",
    },
    { geometry: POINT, name: "A" },
    { geometry: POINT, name: "D" },
  ]);
  expect(rejects).toMatchObject([
    { line: 4, reason: "no coordinates", detail: "trk C" },
    { line: 5, reason: "not a coordinate", detail: "wpt E" },
  ]);
});

test.each(["osmChange", "osmAugmentedDiff"])("%s is refused with advice", async (root) => {
  await expect(read("a.osc", `<?xml version="1.0"?><${root}/>`)).rejects.toThrow(
    "has changes of OpenStreetMap's objects: apply them to an extract with osmium apply-changes",
  );
});
