/**
 * Compares orders of records by the requests and bytes of questions: order of ids, order of the primary copy, cards next to points.
 * `npm run bench:records -- <dataset> --country <code> --centre <lon,lat> [--sparse <lon,lat>]`; see docs/decisions/31-local-records.md.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import {
  type IndexNode,
  isPage,
  type LocationNode,
  parseManifest,
  readPage,
  type StretchNode,
} from "../../data/format/manifest.ts";
import { locationPackPath, packPath } from "../../data/format/paths.ts";
import { readPoints } from "../../data/format/points.ts";
import {
  BLOCK_BYTES,
  groupBytesOf,
  openGroup,
  readDictionary,
  rowNumberOf,
  type StoredRecord,
} from "../../data/format/records.ts";
import { fitGroups } from "../../pipeline/records/fit-groups.ts";
import { joinNeighbours, REQUEST_BYTES } from "../../web/engine/index.ts";
import { readOptions } from "../support/options.ts";

const USAGE = "npm run bench:records -- <dataset> --country <code> --centre <lon,lat> [--sparse <lon,lat>]";
/** Of the table from the rank of an id to the address of its record. */
const ENTRY_BYTES = 4;
const LIMIT = 25;
const RANDOM_CIRCLES = 200;
const EARTH_RADIUS_METERS = 6_371_008.8;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a file. */
interface Place extends Range {
  readonly file: string;
}

interface Slice {
  readonly node: LocationNode;
  /** Compressed bytes of its cards. */
  readonly cardBytes: number;
}

interface Row {
  readonly rank: number;
  readonly slice: Slice;
  readonly lon: number;
  readonly lat: number;
  readonly category: string;
  readonly words: readonly string[];
  readonly byId: Place;
  readonly local: Place;
}

const { values, positionals, refuse } = readOptions({
  usage: USAGE,
  mostArguments: 1,
  options: {
    country: { type: "string", default: "US" },
    centre: { type: "string", default: "-105.2797,40.0176" },
    sparse: { type: "string", default: "" },
  },
});
const [folder = ".cairn/dataset"] = positionals;
const { country } = values;
const manifest = parseManifest(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
const collection = manifest.collections.place ?? refuse(`${folder} has no places`);
const packs = new Map<string, Buffer>();

function bytesOf(path: string, { start, end }: Range): Uint8Array {
  const pack = packs.get(path) ?? readFileSync(join(folder, path));
  packs.set(path, pack);
  return pack.subarray(start, end);
}

function leavesOf(nodes: readonly IndexNode[]): IndexNode[] {
  return nodes.flatMap((node) => {
    if (!isPage(node)) return [node];
    const path = packPath("place", "pages", node.pack);
    return leavesOf(readPage(bytesOf(path, { start: node.offset, end: node.offset + node.bytes })).nodes);
  });
}

interface Numbered {
  readonly rank: number;
  readonly record: StoredRecord;
  readonly place: Place;
}

/** The rows of the country by number, as the records store them. */
async function readRecords(dictionary: Uint8Array): Promise<Map<number, Numbered>> {
  const stretches = (leavesOf(collection.runs.records.nodes) as StretchNode[])
    .filter((node) => node.country === country)
    .sort((a, b) => a.stretch - b.stretch);
  const byNumber = new Map<number, Numbered>();
  for (const { pack, offset, stretch, blocks } of stretches) {
    const file = packPath("place", "records", pack);
    for (let block = 0; block < blocks; ) {
      const start = offset + block * BLOCK_BYTES;
      const length = groupBytesOf(bytesOf(file, { start, end: start + BLOCK_BYTES }));
      const place = { file, start, end: start + length };
      for (const [at, record] of (await openGroup(bytesOf(file, place), block, dictionary)).entries()) {
        byNumber.set(rowNumberOf({ stretch, block, place: at }), { rank: byNumber.size, record, place });
      }
      block += length / BLOCK_BYTES;
    }
  }
  return byNumber;
}

async function readRows(): Promise<Row[]> {
  const { dictionary: slice, stretches } = collection;
  const path = packPath("place", "dictionary", slice.pack);
  const dictionary = readDictionary(bytesOf(path, { start: slice.offset, end: slice.offset + slice.bytes }));
  const byNumber = await readRecords(dictionary);
  const base = rowNumberOf({ stretch: stretches[country] ?? 0, block: 0, place: 0 });
  const nodes = (leavesOf(collection.runs.location.nodes) as LocationNode[])
    .filter((node) => node.country === country)
    .sort(comparePacks);
  const ends = new Map<string, number>();
  const all: Row[] = [];
  for (const node of nodes) {
    const { pack, offset, bytes } = node.points;
    const points = readPoints(bytesOf(packPath("place", "points", pack), { start: offset, end: offset + bytes }));
    const own = Array.from({ length: points.rows }, (_, row) => {
      return byNumber.get(base + points.number(row)) ?? refuse(`the records of ${country} lack a row of the points`);
    });
    const parsed = own.map(({ record }) => JSON.parse(Buffer.from(record.json).toString()) as Card);
    const cards = parsed.map(cardOf);
    const sliceOf: Slice = { node, cardBytes: deflateRawSync(Buffer.concat(cards)).length };
    const file = locationPackPath("place", node);
    let at = ends.get(file) ?? 0;
    let row = 0;
    for (const group of fitGroups(
      own.map(({ record }) => record),
      dictionary,
    )) {
      const local = { file, start: at, end: at + group.blocks * BLOCK_BYTES };
      at = local.end;
      for (let i = 0; i < group.rows; i++, row++) {
        const { rank, place } = own[row] as Numbered;
        const { names, categories } = parsed[row] as Card;
        const words = (names?.primary ?? "")
          .toLowerCase()
          .split(/\P{L}+/u)
          .filter(Boolean);
        const [lon = 0, lat = 0] = points.boxes.subarray(4 * row, 4 * row + 2);
        all.push({ rank, slice: sliceOf, lon, lat, category: categories?.primary ?? "", words, byId: place, local });
      }
    }
    ends.set(file, at);
  }
  return all;
}

function comparePacks(a: LocationNode, b: LocationNode): number {
  const [left, right] = [locationPackPath("place", a), locationPackPath("place", b)];
  return left === right ? a.offset - b.offset : left < right ? -1 : 1;
}

interface Card {
  readonly id: string;
  readonly names?: { readonly primary?: string };
  readonly categories?: { readonly primary?: string };
  readonly addresses?: readonly { readonly freeform?: string; readonly locality?: string }[];
}

/** The columns that lists show. */
function cardOf({ id, names, categories, addresses }: Card): Buffer {
  const [{ freeform = "", locality = "" } = {}] = addresses ?? [];
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
  const key = isUuid ? Buffer.from(id.replaceAll("-", ""), "hex") : Buffer.from(`${id}\n`);
  return Buffer.concat([key, Buffer.from([names?.primary, categories?.primary, freeform, locality].join("\n"))]);
}

/** Requests and bytes. */
interface Cost {
  readonly requests: number;
  readonly bytes: number;
}

function costOf(places: readonly Place[]): Cost {
  const files = new Map<string, Place[]>();
  for (const place of places) {
    const own = files.get(place.file);
    if (own) own.push(place);
    else files.set(place.file, [place]);
  }
  const joined = [...files.values()].flatMap((own) => joinNeighbours(own));
  return { requests: joined.length, bytes: joined.reduce((sum, { start, end }) => sum + end - start, 0) };
}

function sum(...costs: readonly Cost[]): Cost {
  return {
    requests: costs.reduce((all, { requests }) => all + requests, 0),
    bytes: costs.reduce((all, { bytes }) => all + bytes, 0),
  };
}

function weightOf({ requests, bytes }: Cost): number {
  return bytes + requests * REQUEST_BYTES;
}

const slicesOf = (wanted: readonly Row[]): Slice[] => [...new Set(wanted.map(({ slice }) => slice))];

/** Slices of the primary copy or records by id: today's layout. */
function costToday(wanted: readonly Row[]): Cost {
  const slices = costOf(
    slicesOf(wanted).map(({ node }) => {
      return { file: locationPackPath("place", node), start: node.offset, end: node.offset + node.bytes };
    }),
  );
  const records = costById(wanted);
  return weightOf(slices) < weightOf(records) ? slices : records;
}

const costById = (wanted: readonly Row[]): Cost => costOf(wanted.map(({ byId }) => byId));
const costLocal = (wanted: readonly Row[]): Cost => costOf(wanted.map(({ local }) => local));
/** Of slices whose points are read anyway. */
const costOfCards = (read: readonly Slice[]): Cost => {
  return { requests: 0, bytes: read.reduce((all, { cardBytes }) => all + cardBytes, 0) };
};
const costOfTable = (wanted: readonly Row[]): Cost =>
  costOf(wanted.map(({ rank }) => ({ file: "table", start: rank * ENTRY_BYTES, end: (rank + 1) * ENTRY_BYTES })));

interface Circle {
  readonly lon: number;
  readonly lat: number;
  readonly meters: number;
}

function near({ lon, lat, meters }: Circle): Row[] {
  const dLat = (meters / EARTH_RADIUS_METERS) * (180 / Math.PI);
  const cos = Math.cos((lat * Math.PI) / 180);
  const found = rows.flatMap((row) => {
    if (Math.abs(row.lat - lat) > dLat) return [];
    const [x, y] = [((row.lon - lon) * cos * Math.PI) / 180, ((row.lat - lat) * Math.PI) / 180];
    const distance = EARTH_RADIUS_METERS * Math.hypot(x, y);
    return distance <= meters ? [{ row, distance }] : [];
  });
  return found.sort((a, b) => a.distance - b.distance).map(({ row }) => row);
}

interface Question {
  readonly name: string;
  readonly wanted: readonly Row[];
  /** Slices whose points the question reads; undefined for lists by id. */
  readonly points?: readonly Slice[];
  /** Rows that an earlier question read. */
  readonly before?: readonly Row[];
}

function questions(): Question[] {
  const centre = pointOf(values.centre);
  const circle = (name: string, at: Circle, most: number, test: (row: Row) => boolean = () => true): Question => {
    const inside = near(at);
    return { name, wanted: inside.filter(test).slice(0, most), points: slicesOf(inside) };
  };
  const dense = near({ ...centre, meters: 1000 });
  const around = near({ ...centre, meters: 10_000 });
  const category = mostOf(around.map((row) => row.category));
  const byRank = rows.toSorted((a, b) => a.rank - b.rank);
  const page = Math.min(200, Math.floor(rows.length / LIMIT / 2)) * LIMIT;
  const [frequent, rare] = wordsOf(byRank);
  const having = (word: string) => byRank.filter(({ words }) => words.includes(word)).slice(0, LIMIT);
  return [
    circle("first 25 of 1 km dense", { ...centre, meters: 1000 }, LIMIT),
    { name: "next page", wanted: dense.slice(LIMIT, 2 * LIMIT), points: [], before: dense.slice(0, LIMIT) },
    circle("first 25 of 10 km dense", { ...centre, meters: 10_000 }, LIMIT),
    ...(values.sparse
      ? [circle("first 25 of 10 km sparse", { ...pointOf(values.sparse), meters: 10_000 }, LIMIT)]
      : []),
    circle("1,000 of 1 km", { ...centre, meters: 1000 }, 1000),
    circle(`1,000 of a category in 10 km`, { ...centre, meters: 10_000 }, 1000, (row) => row.category === category),
    circle("25,000 of 50 km", { ...centre, meters: 50_000 }, 25_000),
    circle("reverse, the nearest", { ...centre, meters: 100 }, 1),
    { name: `country by id, page ${page / LIMIT}`, wanted: byRank.slice(page, page + LIMIT) },
    { name: "name, frequent word", wanted: having(frequent) },
    { name: "name, rare word", wanted: having(rare) },
    { name: "one record by id", wanted: byRank.slice(page, page + 1) },
  ];
}

/** A word of about one row in a hundred, and one of about 25 rows. */
function wordsOf(all: readonly Row[]): [frequent: string, rare: string] {
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const closest = (count: number): string => {
    const far = (n: number) => Math.abs(Math.log(n / count));
    return [...counts].reduce((best, each) => (far(each[1]) < far(best[1]) ? each : best))[0];
  };
  return [closest(all.length / 100), closest(LIMIT)];
}

function mostOf(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0] as [string, number])[0];
}

function report(): void {
  const tell = ({ requests, bytes }: Cost) => `${requests}, ${(bytes / 1000).toFixed(0)} KB`;
  console.log("| question | rows | by id | today | (a) local | (b) cards | (c) both |\n|---|--:|--:|--:|--:|--:|--:|");
  for (const { name, wanted, points, before = [] } of questions()) {
    const known = new Set(before.map(({ local }) => `${local.file} ${local.start}`));
    const local = costLocal(wanted.filter(({ local: { file, start } }) => !known.has(`${file} ${start}`)));
    const cards = points && costOfCards(points);
    const table = points ? { requests: 0, bytes: 0 } : costOfTable(wanted);
    const hasSlices = before.length > 0 && weightOf(costToday(before)) < weightOf(costById(before));
    const read = new Set(hasSlices ? slicesOf(before) : []);
    const today = costToday(wanted.filter(({ slice }) => !read.has(slice)));
    const cells = [costById(wanted), today, sum(local, table), cards ?? costById(wanted), cards ?? sum(local, table)];
    console.log(`| ${name} | ${wanted.length} | ${cells.map(tell).join(" | ")} |`);
  }
  const random = Array.from({ length: RANDOM_CIRCLES }, (_, i) => {
    const { lon, lat } = rows[Math.floor((rows.length / RANDOM_CIRCLES) * i)] as Row;
    return near({ lon, lat, meters: 50_000 }).slice(0, LIMIT);
  });
  for (const [name, cost] of [
    ["by id", costById],
    ["today", costToday],
    ["local", costLocal],
  ] as const) {
    const costs = random.map(cost);
    const at = (share: number, of: (cost: Cost) => number) =>
      costs.map(of).sort((a, b) => a - b)[Math.floor(share * (costs.length - 1))] ?? 0;
    const [half, most] = [0.5, 0.9].map((share) => {
      return `${at(share, ({ requests }) => requests)}, ${(at(share, ({ bytes }) => bytes) / 1000).toFixed(0)} KB`;
    });
    console.log(`\n25 nearest of ${RANDOM_CIRCLES} rows, ${name}: median ${half}, p90 ${most}`);
  }
  const perRow = (bytes: number) => (bytes / rows.length).toFixed(1);
  const blocksOf = (places: readonly Place[]) =>
    new Map(places.map((place) => [`${place.file} ${place.start}`, place]));
  const weigh = (places: readonly Place[]) =>
    [...blocksOf(places).values()].reduce((all, { start, end }) => all + end - start, 0);
  const slices = slicesOf(rows);
  console.log(`
bytes a row of ${rows.length}: records by id ${perRow(weigh(rows.map(({ byId }) => byId)))}, local ${perRow(weigh(rows.map(({ local }) => local)))}, cards ${perRow(costOfCards(slices).bytes)}, table ${ENTRY_BYTES},
primary copy ${perRow(slices.reduce((all, { node }) => all + node.bytes, 0))}, points ${perRow(slices.reduce((all, { node }) => all + node.points.bytes, 0))}; ${(rows.length / slices.length).toFixed(0)} rows a slice`);
}

function pointOf(text: string): { readonly lon: number; readonly lat: number } {
  const [lon, lat] = text.split(",").map(Number);
  return lon === undefined || lat === undefined || Number.isNaN(lon + lat)
    ? refuse(`expected lon,lat, got ${text}`)
    : { lon, lat };
}

const rows = await readRows();
report();
