import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { zlibSync } from "fflate";
import { PbfWriter } from "pbf";
import { describe, expect, test } from "vitest";
import type { Geometry, Position } from "../../format/geometry.ts";
import { readTable } from "../index.ts";
import { GeometryFault, type RawGeometry } from "../raw-table.ts";
import { NodePlaces } from "./node-places.ts";
import { bytesInMemory, openOsm } from "./open-osm.ts";
import { openOsmRows } from "./read-osm.ts";

const FOLDER = fileURLToPath(new URL("../testing/osm/", import.meta.url));

async function rowsOf(bytes: Uint8Array) {
  const file = await openOsm(bytesInMemory(bytes));
  if (!file) throw new Error("not a file of OpenStreetMap");
  const { format, columns, notes, rows } = await openOsmRows(file);
  const read = new Map<
    string,
    { readonly geometry: RawGeometry; readonly values: Readonly<Record<string, unknown>> }
  >();
  for await (const { id, geometry, values } of rows())
    read.set(id, { geometry, values: Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null])) });
  return { format, columns, notes, rows: read };
}

const encode = (text: string) => new TextEncoder().encode(text);

/** One text per shape: rings from their lowest position, in one direction, without repeated positions. */
function shapeOf(geometry: Geometry | null): string {
  if (!geometry) return "none";
  const texts = (line: readonly Position[]) =>
    line.map(([lon, lat]) => `${lon.toFixed(7)} ${lat.toFixed(7)}`).filter((text, at, all) => text !== all[at - 1]);
  const ring = (line: readonly Position[]): string => {
    const corners = texts(line).slice(0, -1);
    const turns = [corners, corners.toReversed()].flatMap((all) => {
      const lowest = all.toSorted()[0];
      return all.flatMap((text, at) => (text === lowest ? [[...all.slice(at), ...all.slice(0, at)].join(",")] : []));
    });
    return turns.sort()[0] ?? "";
  };
  const polygon = ([outer = [], ...holes]: readonly (readonly Position[])[]) =>
    [ring(outer), ...holes.map(ring).sort()].join(" without ");
  switch (geometry.type) {
    case "Point":
      return `point ${texts([geometry.coordinates])}`;
    case "LineString":
      return `line ${texts(geometry.coordinates)}`;
    case "MultiLineString":
      return `lines ${geometry.coordinates.map(texts).join(" and ")}`;
    case "Polygon":
      return `area ${polygon(geometry.coordinates)}`;
    case "MultiPolygon":
      return `area ${geometry.coordinates.map(polygon).sort().join(" and ")}`;
    default:
      return geometry.type;
  }
}

/** All tags of a row, wherever its columns have them. */
function tagsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const { category: _, main_key: __, names, tags, ...own } = values;
  const tagged = Object.entries(own).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)] as const]));
  const named = Object.entries((names as Record<string, string> | null) ?? {}).map(
    ([language, name]) => [`name:${language}`, name] as const,
  );
  return { ...(tags as Record<string, string> | null), ...Object.fromEntries([...tagged, ...named]) };
}

describe("objects, tags and geometries are those that libosmium finds", () => {
  test.each([
    ["town.osm.pbf", 2766],
    ["areas.osm.pbf", 340],
    ["rings.osm", 14],
  ])("%s", async (name, count) => {
    const { rows } = await rowsOf(await readFile(`${FOLDER}${name}`));
    const compressed = await readFile(`${FOLDER}${name.split(".")[0]}.expected.jsonl.gz`);
    const lines = gunzipSync(compressed).toString().trim().split("\n");
    const expected = lines.map((line) => JSON.parse(line) as [string, Record<string, string>, Geometry | null]);
    expect(expected.length).toBe(count);
    expect([...rows.keys()].sort()).toEqual(expected.map(([id]) => id).sort());
    for (const [id, tags, geometry] of expected) {
      const row = rows.get(id);
      const filled = Object.fromEntries(Object.entries(tags).filter(([key, value]) => value !== "" && key !== "type"));
      // libosmium's areas are without the type of their relation
      const { type: _, ...found } = tagsOf(row?.values ?? {});
      expect([id, found]).toEqual([id, filled]);
      const shape = row?.geometry instanceof GeometryFault ? null : (row?.geometry ?? null);
      expect(`${id} ${shapeOf(shape)}`).toBe(`${id} ${shapeOf(geometry)}`);
    }
  });
});

const SHOP = `<osm version="0.6">
  <node id="1" lat="48.1" lon="11.5"><tag k="amenity" v="restaurant"/><tag k="tourism" v="hotel"/>
    <tag k="building" v="yes"/><tag k="name" v="Zur Post &amp; Krone"/><tag k="name:en" v="Post"/><tag k="name:zh-Hant" v="郵局"/>
    <tag k="name:etymology" v="post"/><tag k="contact:phone" v="+49 1"/><tag k="phone" v="+49 2"/>
    <tag k="source" v="survey"/><tag k="stars" v="3"/><tag k="names" v="x"/></node>
  <node id="2" lat="48.2" lon="11.6"><tag k="shop" v="bakery;pastry"/><tag k="stars" v="4.5"/></node>
  <node id="3" lat="48.3" lon="11.7"><tag k="building" v="yes"/></node>
  <node id="4" lat="48.3" lon="11.7"><tag k="addr:housenumber" v="1"/></node>
  <node id="5" lat="48.3" lon="11.7"><tag k="building" v="no"/></node>
  <node id="6" lat="99" lon="11.7"><tag k="shop" v="books"/></node>
  <node id="7" lat="48" lon="11" action="delete"><tag k="shop" v="books"/></node>
</osm>`;

test("columns: category, names by language, keys with a role, the commonest keys, and the rest", async () => {
  const { columns, rows, notes } = await rowsOf(encode(SHOP));
  expect(columns.map(({ name, type, role = "" }) => `${name} ${type} ${role}`.trim())).toEqual([
    "category list category",
    "main_key text",
    "name text name",
    "names json names",
    "phone text phone",
    "contact:phone text phone",
    "building text",
    "shop text",
    "stars number",
    "amenity text",
    "name:etymology text",
    "tourism text",
    "tags json",
  ]);
  expect(rows.get("node/1")?.values).toMatchObject({
    category: ["restaurant", "hotel"],
    main_key: "amenity",
    name: "Zur Post & Krone",
    names: { en: "Post", "zh-Hant": "郵局" },
    stars: 3,
    tags: { names: "x", source: "survey" },
  });
  expect(rows.get("node/2")?.values).toMatchObject({ category: ["bakery", "pastry"], stars: 4.5, tags: null });
  expect(rows.get("node/3")?.values).toMatchObject({ category: ["building"], main_key: "building" });
  expect(rows.get("node/6")?.geometry).toEqual(new GeometryFault("not a coordinate", "99, 11.7"));
  expect([...rows.keys()]).toEqual(["node/1", "node/2", "node/3", "node/6"]);
  expect(notes).toEqual(["tagged objects without a main tag, which are no rows: 2 nodes"]);
});

test("only the 60 commonest keys have a column", async () => {
  const tags = Array.from({ length: 70 }, (_, at) => `<tag k="key_${String(at).padStart(2, "0")}" v="a"/>`);
  const node = (id: number, count: number) =>
    `<node id="${id}" lat="1" lon="2"><tag k="shop" v="yes"/>${tags.slice(0, count).join("")}</node>`;
  const { columns, rows } = await rowsOf(encode(`<osm>${node(1, 70)}${node(2, 30)}</osm>`));
  const keys = columns.map(({ name }) => name).filter((name) => /^key|shop/.test(name));
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([60, "key_00", "key_58"]);
  expect(Object.keys(rows.get("node/1")?.values.tags ?? {}).length).toBe(11);
});

test("answers of Overpass: with nodes, with geometries, and with centres", async () => {
  const square = [
    { lat: 48, lon: 11 },
    { lat: 48, lon: 12 },
    { lat: 49, lon: 12 },
    { lat: 48, lon: 11 },
  ];
  const answer = {
    version: 0.6,
    generator: "Overpass API",
    osm3s: { copyright: "The data included in this document is from www.openstreetmap.org." },
    elements: [
      { type: "node", id: 1, lat: 48.1, lon: 11.5, tags: { amenity: "cafe", name: "A" } },
      { type: "way", id: 2, nodes: [1, 2], geometry: square.slice(0, 2), tags: { highway: "path" } },
      { type: "way", id: 3, geometry: square, tags: { building: "yes" } },
      { type: "way", id: 4, center: { lat: 1, lon: 2 }, tags: { shop: "books" } },
      { type: "node", id: 2, lat: 48.2, lon: 11.5 },
      {
        type: "relation",
        id: 5,
        members: [{ type: "way", ref: 9, role: "outer", geometry: square }],
        tags: { type: "multipolygon", natural: "water" },
      },
      {
        type: "relation",
        id: 6,
        members: [{ type: "node", ref: 1, role: "" }],
        tags: { type: "site", historic: "yes" },
      },
    ],
  };
  const { format, rows } = await rowsOf(encode(JSON.stringify(answer)));
  expect(format).toBe("osm-json");
  const shapes = Array.from(rows, ([id, { geometry }]) =>
    geometry instanceof GeometryFault ? `${id} ${geometry.reason}` : `${id} ${geometry.type}`,
  );
  expect(shapes).toEqual([
    "node/1 Point",
    "way/2 LineString",
    "way/3 Polygon",
    "way/4 Point",
    "relation/5 Polygon",
    "relation/6 relation without an area",
  ]);
  const table = await readTable("interpreter.json", encode(JSON.stringify(answer)));
  expect([table.format, table.rows.length, table.rejects.map(({ reason }) => reason)]).toEqual([
    "osm-json",
    5,
    ["relation without an area"],
  ]);
});

test("a way or relation of which nodes are missing is at its centre, in JSON and XML of Overpass", async () => {
  const [shop, lake] = [{ shop: "books" }, { type: "multipolygon", natural: "water" }];
  const answer = {
    osm3s: {},
    elements: [
      { type: "node", id: 1, lat: 48, lon: 11 },
      { type: "node", id: 2, lat: 48, lon: 12 },
      { type: "way", id: 3, center: { lat: 1, lon: 2 }, nodes: [1, 2, 7, 1], tags: shop },
      { type: "way", id: 4, center: { lat: 1, lon: 2 }, nodes: [1, 2], tags: { highway: "path" } },
      { type: "relation", id: 5, center: { lat: 3, lon: 4 }, members: [{ type: "way", ref: 9, role: "" }], tags: lake },
    ],
  };
  const xml = `<osm><node id="1" lat="48" lon="11"/><node id="2" lat="48" lon="12"/>
    <way id="3"><center lat="1" lon="2"/><nd ref="1"/><nd ref="2"/><nd ref="7"/><nd ref="1"/><tag k="shop" v="books"/></way>
    <way id="4"><center lat="1" lon="2"/><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>
    <relation id="5"><center lat="3" lon="4"/><member type="way" ref="9" role=""/><tag k="type" v="multipolygon"/>
    <tag k="natural" v="water"/></relation></osm>`;
  for (const text of [JSON.stringify(answer), xml]) {
    const { rows } = await rowsOf(encode(text));
    expect(Array.from(rows, ([id, { geometry }]) => [id, geometry])).toEqual([
      ["way/3", { type: "Point", coordinates: [2, 1] }],
      ["way/4", expect.objectContaining({ type: "LineString" })],
      ["relation/5", { type: "Point", coordinates: [4, 3] }],
    ]);
  }
});

test("XML of Overpass with geometries has the positions in its ways and members", async () => {
  const member = (ref: number, ...places: string[]) =>
    `<member type="way" ref="${ref}" role="outer">${places.join("")}</member>`;
  const [a, b, c] = [`lat="48" lon="11"`, `lat="48" lon="12"`, `lat="49" lon="12"`];
  const xml = `<osm><way id="1"><nd ref="1" ${a}/><nd ref="2" ${b}/><tag k="highway" v="residential"/></way>
    <way id="2"><nd ref="1" ${a}/><nd ref="2" ${b}/><nd ref="3" ${c}/><nd ref="1" ${a}/><tag k="building" v="yes"/></way>
    <way id="3"><nd ref="1" ${a}/><nd ref="9"/><tag k="highway" v="path"/></way>
    <way id="4"><nd ${a}/><nd ${b}/><tag k="waterway" v="river"/></way>
    <relation id="5">${member(1, `<nd ${a}/>`, `<nd ${b}/>`)}${member(8, `<nd ${b}/>`, `<nd ${c}/>`, `<nd ${a}/>`)}
    <tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
    <relation id="6">${member(1, `<nd ${a}/>`, "<nd/>")}
    <tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation></osm>`;
  const { rows } = await rowsOf(encode(xml));
  const triangle = "area 11.0000000 48.0000000,12.0000000 48.0000000,12.0000000 49.0000000";
  const line = "line 11.0000000 48.0000000,12.0000000 48.0000000";
  const shapes = Array.from(rows, ([id, { geometry }]) =>
    geometry instanceof GeometryFault ? `${id} ${geometry.reason}` : `${id} ${shapeOf(geometry)}`,
  );
  expect(shapes).toEqual([
    `way/1 ${line}`,
    `way/2 ${triangle}`,
    "way/3 nodes missing",
    `way/4 ${line}`,
    `relation/5 ${triangle}`,
    "relation/6 ring not closed",
  ]);
});

test("a relation closes if one of its ways is in the answer itself", async () => {
  const [a, b, c] = [
    { lat: 48, lon: 11 },
    { lat: 48, lon: 12 },
    { lat: 49, lon: 12 },
  ];
  const members = [
    { type: "way", ref: 1, role: "outer", geometry: [a, b] },
    { type: "way", ref: 2, role: "outer", geometry: [b, c, a] },
  ];
  const elements = [
    { type: "way", id: 1, nodes: [1, 2], geometry: [a, b], tags: { highway: "path" } },
    { type: "relation", id: 5, members, tags: { type: "multipolygon", natural: "water" } },
  ];
  const { rows } = await rowsOf(encode(JSON.stringify({ osm3s: {}, elements })));
  expect(rows.get("relation/5")?.geometry).toMatchObject({ type: "Polygon" });
});

test("areas, counts and made elements of Overpass are left out, and noted", async () => {
  const elements = [
    { type: "area", id: 3600000001, tags: { name: "A" } },
    { type: "count", id: 0, tags: { nodes: "1" } },
    { type: "area", id: 3600000002 },
    { type: "node", id: 1, lat: 1, lon: 2, tags: { shop: "books" } },
  ];
  const { rows, notes } = await rowsOf(encode(JSON.stringify({ version: 0.6, elements })));
  expect([...rows.keys()]).toEqual(["node/1"]);
  expect(notes).toEqual(["elements that are no node, way or relation, which are no rows: 2 area, 1 count"]);
});

test("JSON with a version and a list of elements that are not OpenStreetMap's is a table", async () => {
  const table = await readTable("a.json", encode('{"version":1,"elements":[{"name":"A","lat":1,"lon":2}]}'));
  expect(table).toMatchObject({ format: "json", rows: [{ values: ["A"] }] });
});

test("tables of pages have the ids, and the attribution as a note", async () => {
  const bytes = await readFile(`${FOLDER}town.osm.pbf`);
  const table = await readTable("town.osm.pbf", bytes);
  expect([table.format, table.crs, table.rows.length + table.rejects.length]).toEqual(["osm-pbf", "EPSG:4326", 2766]);
  expect(table.columns[0]).toEqual({ name: "id", type: "text" });
  expect(table.notes[0]).toBe("© OpenStreetMap contributors");
  await expect(readTable("town.osm.pbf", bytes, { maxRows: 1000 })).rejects.toThrow(/rows, more than 1000: split it/);
});

function block(type: string, blob: (pbf: PbfWriter) => void): Uint8Array {
  const body = new PbfWriter();
  blob(body);
  const bytes = body.finish();
  const header = new PbfWriter();
  header.writeStringField(1, type);
  header.writeVarintField(3, bytes.length);
  const head = header.finish();
  const whole = new Uint8Array(4 + head.length + bytes.length);
  new DataView(whole.buffer).setUint32(0, head.length);
  whole.set(head, 4);
  whole.set(bytes, 4 + head.length);
  return whole;
}

const headerOf = (...features: string[]) => {
  const pbf = new PbfWriter();
  for (const feature of features) pbf.writeStringField(4, feature);
  return pbf.finish();
};

test("PBF with positions in its ways, and with plain and dense nodes in a group", async () => {
  const texts = ["", "highway", "residential", "shop", "yes"];
  const data = new PbfWriter();
  data.writeMessage(
    1,
    (_, pbf) => {
      for (const text of texts) pbf.writeStringField(1, text);
    },
    null,
  );
  data.writeMessage(
    2,
    (_, group) => {
      group.writeMessage(
        1,
        (_node, node) => {
          node.writeSVarintField(1, 7);
          node.writePackedVarint(2, [3]);
          node.writePackedVarint(3, [4]);
          node.writeSVarintField(8, 10_000_000);
          node.writeSVarintField(9, 20_000_000);
        },
        null,
      );
      group.writeMessage(
        2,
        (_dense, dense) => {
          dense.writePackedSVarint(1, [5, 3]);
          dense.writePackedSVarint(8, [30_000_000, 0]);
          dense.writePackedSVarint(9, [40_000_000, 10_000_000]);
          dense.writePackedVarint(10, [3, 4, 0, 3, 4, 0]);
        },
        null,
      );
      group.writeMessage(
        3,
        (_way, way) => {
          way.writeVarintField(1, 9);
          way.writePackedVarint(2, [1]);
          way.writePackedVarint(3, [2]);
          way.writePackedSVarint(8, [3, -1]);
          way.writePackedSVarint(9, [10_000_000, 10_000_000]);
          way.writePackedSVarint(10, [20_000_000, -10_000_000]);
        },
        null,
      );
    },
    null,
  );
  const bytes = block("OSMData", (pbf) => pbf.writeBytesField(1, data.finish()));
  const head = block("OSMHeader", (pbf) => pbf.writeBytesField(1, headerOf("OsmSchema-V0.6", "DenseNodes")));
  const { rows } = await rowsOf(Uint8Array.from([...head, ...bytes]));
  expect(Object.fromEntries(Array.from(rows, ([id, { geometry }]) => [id, geometry]))).toEqual({
    "node/7": { type: "Point", coordinates: [2, 1] },
    "node/5": { type: "Point", coordinates: [4, 3] },
    "node/8": { type: "Point", coordinates: [5, 3] },
    "way/9": {
      type: "LineString",
      coordinates: [
        [2, 1],
        [1, 2],
      ],
    },
  });
});

describe("damaged and unusual files are refused", () => {
  const faultOf = async (bytes: Uint8Array) =>
    readTable("a.osm.pbf", bytes).then(
      () => "none",
      (error: Error) => error.message,
    );

  test("PBF", async () => {
    const bytes = await readFile(`${FOLDER}town.osm.pbf`);
    expect(await faultOf(bytes.subarray(0, bytes.length - 100))).toMatch(/^the PBF file is damaged: it ends at byte/);
    const flipped = new Uint8Array(bytes);
    flipped.fill(7, 5000, 6000);
    expect(await faultOf(flipped)).toMatch(/^the PBF file is damaged: /);
    const history = block("OSMHeader", (pbf) => pbf.writeBytesField(1, headerOf("HistoricalInformation")));
    expect(await faultOf(history)).toMatch(/has the history of its objects: make an extract of one time/);
    const unknown = block("OSMHeader", (pbf) => pbf.writeBytesField(1, headerOf("Sort.Unheard")));
    expect(await faultOf(unknown)).toBe("the PBF file needs Sort.Unheard, which is not supported");
    const lz4 = block("OSMHeader", (pbf) => pbf.writeBytesField(6, new Uint8Array(8)));
    expect(await faultOf(lz4)).toMatch(/compressed with lz4, and zlib is read/);
    const bomb = block("OSMHeader", (pbf) => {
      pbf.writeVarintField(2, 2 ** 30);
      pbf.writeBytesField(3, zlibSync(new Uint8Array(8)));
    });
    expect(await faultOf(bomb)).toMatch(/damaged: a block that unpacks to 1073741824 bytes/);
  });

  test("XML and JSON", async () => {
    expect(await faultOf(encode('<osm><node id="1" lat="1" lon="2"></osm>'))).toMatch(/^the XML is damaged: /);
    const history = '<osm><node id="1" version="1" lat="1" lon="2"/><node id="1" version="2" visible="false"/></osm>';
    // as from two statements `out` of Overpass, of which one is `out meta`
    const twice = '<osm><node id="1" lat="1" lon="2"/><node id="1" version="2" lat="1" lon="2"/></osm>';
    expect(await faultOf(encode(twice))).toBe("none");
    expect(await faultOf(encode(history))).toMatch(/^the XML file has the history of its objects: make an extract/);
    expect(await faultOf(encode('{"osm3s": {}, "elements": [{"type": "node"}]}'))).toBe(
      "element 1 of the OpenStreetMap JSON is no node, way or relation with an id",
    );
  });
});

test("positions of nodes are found in any order of ids, the last of a repeated id", () => {
  const places = new NodePlaces();
  for (let id = 0; id < 70_000; id++) places.add(id * 2, id / 1000, 1);
  expect([places.at(139_998), places.at(1), places.at(-1)]).toEqual([[69.999, 1], undefined, undefined]);
  places.add(-5, 3, 4);
  places.add(6, 7, 8);
  expect([places.at(-5), places.at(6), places.at(8), places.at(139_998)]).toEqual([
    [3, 4],
    [7, 8],
    [0.004, 1],
    [69.999, 1],
  ]);
});
