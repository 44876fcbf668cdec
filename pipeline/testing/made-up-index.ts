/**
 * Generates partitions of a planet-sized dataset without rows: cells of a trie over geohash bits, halved where the
 * sample's people live. So a city has as many partitions, and a desert as large ones, as real rows would give.
 * @module
 */
import { hash } from "node:crypto";
import { DuckDBInstance } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { cellSize, encodeGeohash, GEOHASH_BITS, spellGeohash } from "../../data/format/geohash.ts";
import type { LocationNode, Slice, TermNode } from "../../data/format/manifest.ts";
import { MAX_GROUP_ROWS } from "../../data/format/records.ts";
import type { WrittenSegment } from "../builder/stages/ids.ts";
import type { LooseChunk } from "../builder/stages/recorded-rows.ts";

const BYTES = 200_000;

/** People who live close together: a quarter of a town, or a village. */
export interface Settlement {
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  readonly geohash: number;
  readonly people: number;
}

/** A town has one settlement per this many people. */
const SETTLEMENT_PEOPLE = 20_000;

/** Distance from the centre, in metres, within which a town of 100,000 has 63 % of its settlements. */
const TOWN_METERS = 2000;

/** Settlements around each town, within about this many degrees, that share 40 % of its people. */
const VILLAGES = 4;
const VILLAGE_DEGREES = 0.4;

/** Converts towns of the sample to settlements, in the order of a location run: by country, then by geohash. */
export async function readSettlements(): Promise<Settlement[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const read = await connection.runAndReadAll(`
    SELECT country, bbox.xmin AS lon, bbox.ymin AS lat, population FROM 'data/sample/world/division.parquet'
    WHERE subtype = 'locality' AND population > 0 ORDER BY id`);
  const random = seededRandom(1);
  const settlements = read.getRowObjectsJS().flatMap((row) => {
    const [lon, lat, population] = [Number(row.lon), Number(row.lat), Number(row.population)];
    const place = (people: number, degrees: number): Settlement => {
      const angle = random() * 2 * Math.PI;
      const at = [
        lon + (degrees * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180),
        lat + degrees * Math.cos(angle),
      ] as const;
      return { country: String(row.country), lon: at[0], lat: at[1], geohash: encodeGeohash(...at), people };
    };
    const quarters = Math.ceil(population / SETTLEMENT_PEOPLE);
    const spread = (TOWN_METERS / 111_195) * Math.sqrt(population / 100_000);
    return [
      ...Array.from({ length: quarters }, () => place((0.6 * population) / quarters, -spread * Math.log(1 - random()))),
      ...Array.from({ length: VILLAGES }, () => place((0.4 * population) / VILLAGES, VILLAGE_DEGREES * random())),
    ];
  });
  connection.closeSync();
  instance.closeSync();
  return settlements.sort((a, b) => (a.country === b.country ? a.geohash - b.geohash : a.country < b.country ? -1 : 1));
}

/** Settlements of each country, in order. */
export function byCountry(settlements: readonly Settlement[]): Map<string, Settlement[]> {
  const groups = new Map<string, Settlement[]>();
  for (const settlement of settlements) {
    const group = groups.get(settlement.country);
    if (group) group.push(settlement);
    else groups.set(settlement.country, [settlement]);
  }
  return groups;
}

/** A country whose partitions are generated. */
export interface CountryToMakeUp {
  readonly country: string;
  readonly settlements: readonly Settlement[];
  readonly bbox: BBox;
  readonly rows: number;
  /** Approximate number of partitions. */
  readonly count: number;
}

/** Generates the country's partitions in a location run, in order. */
export function makeUpLocation({ country, settlements, rows, count }: CountryToMakeUp): LocationNode[] {
  const cells: { readonly cell: Cell; readonly inside: readonly Settlement[] }[] = [];
  halve(settlements, Math.max(1, count), { geohash: 0, bits: 0 }, (cell, inside) => cells.push({ cell, inside }));
  return cells.map(({ cell, inside }, index) => {
    const bbox = boxOf(cell, inside);
    const geohash = spellGeohash(cell.geohash, cell.bits);
    const slice = sliceOf(`${country} location`, index);
    const points = sliceOf(`${country} points`, index);
    const pack = `${geohash}/${slice.pack}`;
    // its records have about 60 blocks
    const record = 60 * MAX_GROUP_ROWS * index;
    return { ...slice, pack, rows: shareOf(rows, index, cells.length), bbox, country, geohash, points, record };
  });
}

/** Returns the number of people in the settlements. */
export function peopleOf(settlements: readonly Settlement[]): number {
  return settlements.reduce((sum, { people }) => sum + people, 0);
}

interface Cell {
  /** The lowest geohash in it, and the number of leading bits that all share. */
  readonly geohash: number;
  readonly bits: number;
}

/** Halves a cell until each part is one partition. The last settlement in a cell fills it evenly. */
function halve(
  settlements: readonly Settlement[],
  partitions: number,
  { geohash, bits }: Cell,
  emit: (cell: Cell, inside: readonly Settlement[]) => void,
): void {
  if (partitions < 1.5 || bits >= GEOHASH_BITS - 10) {
    emit({ geohash, bits }, settlements);
    return;
  }
  const middle = geohash + 2 ** (GEOHASH_BITS - bits - 1);
  const [low, high] = [
    { geohash, bits: bits + 1 },
    { geohash: middle, bits: bits + 1 },
  ];
  if (settlements.length === 1 && bits >= 26) {
    halve(settlements, partitions / 2, low, emit);
    halve(settlements, partitions / 2, high, emit);
    return;
  }
  const cut = settlements.findIndex((settlement) => settlement.geohash >= middle);
  const [before, after] = cut === -1 ? [settlements, []] : [settlements.slice(0, cut), settlements.slice(cut)];
  const share = peopleOf(before) / (peopleOf(before) + peopleOf(after));
  if (before.length > 0) halve(before, partitions * share, low, emit);
  if (after.length > 0) halve(after, partitions * (1 - share), high, emit);
}

/** Returns a box around all of the settlements, with land around them. */
export function boxAround(settlements: readonly Settlement[]): BBox {
  return boxOf({ geohash: 0, bits: 0 }, settlements);
}

/** A small cell, or of a large cell the land around its settlements. */
function boxOf({ geohash, bits }: Cell, settlements: readonly Settlement[]): BBox {
  const { widthDeg, heightDeg } = cellSize(bits);
  const [west, south] = cornerOf(geohash);
  if (bits > 20) return [west, south, west + widthDeg, south + heightDeg].map(round) as unknown as BBox;
  const lons = rangeOf(settlements.map(({ lon }) => lon));
  const lats = rangeOf(settlements.map(({ lat }) => lat));
  return [
    Math.max(west, lons.least - 0.2),
    Math.max(south, lats.least - 0.2),
    Math.min(west + widthDeg, lons.greatest + 0.2),
    Math.min(south + heightDeg, lats.greatest + 0.2),
  ].map(round) as unknown as BBox;
}

function rangeOf(values: readonly number[]): { readonly least: number; readonly greatest: number } {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, greatest] = [Math.min(least, value), Math.max(greatest, value)];
  return { least, greatest };
}

function cornerOf(geohash: number): [lon: number, lat: number] {
  let [x, y] = [0, 0];
  for (let bit = 0; bit < GEOHASH_BITS; bit++) {
    const value = Math.floor(geohash / 2 ** (GEOHASH_BITS - 1 - bit)) % 2;
    if (bit % 2 === 0) x = x * 2 + value;
    else y = y * 2 + value;
  }
  const cells = 2 ** (GEOHASH_BITS / 2);
  return [(x / cells) * 360 - 180, (y / cells) * 180 - 90];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** A slice's position. Its hash is as incompressible as a real one. */
export function sliceOf(run: string, index: number): Slice {
  const sha256 = hash("sha256", `${run} ${index}`);
  const pack = hash("sha256", `${run} pack ${Math.floor(index / 16)}`).slice(0, 16);
  return { sha256, bytes: BYTES + (index % 60_000), pack, offset: (index % 16) * BYTES };
}

/** Returns the rows of one of several nearly equal shares, which add up to all rows. */
export function shareOf(rows: number, index: number, shares: number): number {
  return Math.floor(((index + 1) * rows) / shares) - Math.floor((index * rows) / shares);
}

/** Generates segments of the country's ids. Ids are spread evenly, so each segment covers the country. */
export function makeUpIds({ country, bbox, rows, count }: Omit<CountryToMakeUp, "settlements">): WrittenSegment[] {
  const shares = Math.max(1, Math.round(count));
  const width = 2 ** 48 / shares;
  return Array.from({ length: shares }, (_, index) => {
    const [first_id, last_id] = [idAt(index * width), idAt((index + 1) * width - 1)];
    const ofRows = { rows: shareOf(rows, index, shares), bbox, country, first_id, last_id, blocks: 180 };
    return { ...sliceOf(`${country} ids`, index), ...ofRows };
  });
}

/** Generates chunks of a country's records from its partitions in a location run, which are more. */
export function makeUpRecords(country: string, location: readonly LocationNode[], chunks: number): LooseChunk[] {
  return Array.from({ length: chunks }, (_, index) => {
    const [start, end] = [index, index + 1].map((place) => Math.floor((place * location.length) / chunks));
    const mine = location.slice(start, end);
    const rows = mine.reduce((sum, node) => sum + node.rows, 0);
    const bbox = bboxUnion(mine.map((node) => node.bbox));
    return { ...sliceOf(`${country} records`, index), rows, bbox, country, blocks: 2000 };
  });
}

function idAt(value: number): string {
  const hex = Math.floor(value).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-4000-8000-000000000000`;
}

/** Generates partitions of a term run. The terms are `name:<number>`, three per partition. */
export function makeUpTerms({ country, bbox, rows, count }: Omit<CountryToMakeUp, "settlements">): TermNode[] {
  const shares = Math.max(1, Math.round(count));
  return Array.from({ length: shares }, (_, index) => {
    const [first_term, last_term] = [termAt(index * 3), termAt(index * 3 + 2)];
    const ofRows = { rows: shareOf(rows, index, shares), bbox, country, first_term, last_term, start: 0 };
    return { ...sliceOf(`${country} term`, index), ...ofRows };
  });
}

/** Returns the name with this index in a term run. */
export function termAt(place: number): string {
  return `name:${String(place).padStart(9, "0")}`;
}

/** Reproducible numbers from 0 to below 1. @see https://en.wikipedia.org/wiki/Lehmer_random_number_generator */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
