/** All runs of a collection, from its index to its sums. @module */
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import { inflate } from "../../data/format/inflate.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type CountRunName,
  type ManifestCollection,
  type ManifestRun,
} from "../../data/format/manifest.ts";
import { packPath } from "../../data/format/paths.ts";
import type { Database } from "../database/index.ts";
import { batchCountries } from "./batches.ts";
import { comparePoints, compareRecords } from "./compare-runs.ts";
import { emptyIds, IDS, isKept, keepRows } from "./kept-rows.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { checkLocationPacks, type LocationPack } from "./location-packs.ts";
import { checkPacks } from "./packs.ts";
import { loadPoints } from "./points-table.ts";
import { readIndex } from "./read-index.ts";
import { readSlice } from "./read-slice.ts";
import { checkStretches, loadRecords } from "./record-table.ts";
import { emptyRows, loadRows } from "./row-table.ts";
import { type BookedNode, nameSlice, openBook, type SliceBook } from "./slice-book.ts";
import {
  checkLocationOrder,
  checkPackOfSlices,
  checkSlice,
  type SliceAndRows,
  summariseSlices,
} from "./slice-checks.ts";
import { checkCounts, checkFind } from "./table-checks.ts";
import { loadTable } from "./table-slices.ts";
import { checkTermBoxes, hasTerms, loadTerms } from "./term-slices.ts";
import { compareTerms, emptyTold, tellTerms } from "./told-terms.ts";

const COUNT_RUNS: readonly CountRunName[] = ["count_brand", "count_category", "count_country"];

/** Largest size of a dictionary, inflated. */
const MAX_DICTIONARY_BYTES = 8 * 1024;

export interface VerifiedCollection {
  readonly database: Database;
  readonly dataset: string;
  readonly name: CollectionName;
  /** Rows looked at together, about. */
  readonly batchRows?: number | undefined;
  /** Rows from which on a beginning of names is a term. */
  readonly prefixRows?: number | undefined;
}

export interface CollectionFound {
  /** Of all packs that the index names. */
  readonly paths: readonly string[];
  /** Whether rows, records and tables of all countries could be read. */
  readonly isWhole: boolean;
}

interface Verified extends VerifiedCollection {
  readonly manifest: ManifestCollection;
  readonly book: SliceBook;
  readonly dictionary: Uint8Array;
}

export async function verifyCollection(
  collection: VerifiedCollection,
  manifest: ManifestCollection,
  ledger: Ledger,
): Promise<CollectionFound> {
  const { database, dataset, name, batchRows, prefixRows } = collection;
  const book = await openBook(database);
  const whole = await readIndexes(collection, manifest, book, ledger);
  const paths = await checkPacks({ dataset, scope: name, book }, ledger);
  const dictionary = await readDictionary(collection, manifest, ledger);
  if (!dictionary) return { paths, isWhole: false };
  const verified: Verified = { ...collection, manifest, book, dictionary };
  await checkStretches({ name, book }, manifest.stretches, ledger);
  const run = { dataset, name, book, stretches: manifest.stretches };
  const hasAllTerms = (await loadTerms(database, run, ledger)) && whole.has("term");
  await emptyTold(database);
  await emptyIds(database);
  const sums = { rows: new Map<string, number>(), boxes: new Map<string, Set<string>>(), told: new Set<string>() };
  const ofRuns = await Promise.all((["location", "records"] as const).map((each) => book.countries(each)));
  const rows = new Map(ofRuns.flat());
  const countries = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const batch of batchCountries(countries, batchRows)) await verifyBatch(verified, batch, sums, ledger);
  const isWhole =
    whole.has("location") && whole.has("records") && countries.every(([country]) => sums.told.has(country));
  if (hasAllTerms) await compareTerms(database, { name, countries: sums.told, prefixRows, isWhole }, ledger);
  const boxes = new Map([...sums.told].map((country) => [country, boxOf([sums.boxes.get(country) ?? new Set()])]));
  if (isWhole) boxes.set(ALL_COUNTRIES, boxOf([...sums.boxes.values()]));
  await checkTermBoxes({ name, book }, boxes, ledger);
  checkTotals(name, manifest, sums, ledger);
  const hasTables = await verifyTables(verified, whole, isWhole, ledger);
  return { paths, isWhole: isWhole && hasTables };
}

/** Returns the runs whose index was read whole. */
async function readIndexes(
  { dataset, name }: VerifiedCollection,
  { runs, dictionary }: ManifestCollection,
  book: SliceBook,
  ledger: Ledger,
): Promise<Set<AnyRunName>> {
  const whole = new Set<AnyRunName>();
  for (const [run, inManifest] of Object.entries(runs) as [AnyRunName, ManifestRun | undefined][]) {
    if (!inManifest) continue;
    if (await readIndex({ dataset, collection: name, name: run, run: inManifest, book }, ledger)) whole.add(run);
  }
  const { say } = checksOf(ledger, name, "manifest.json");
  for (const run of expectedRuns(name)) say("index", run in runs, () => `${name} has no ${run} run`);
  book.add("dictionary", packPath(name, "dictionary", dictionary.pack), dictionary);
  book.close();
  return whole;
}

function expectedRuns(name: CollectionName): AnyRunName[] {
  return [
    "find",
    ...(hasTerms(COLLECTIONS[name]) ? (["term"] as const) : []),
    ...(name === "division" ? (["suggest"] as const) : []),
    ...(name === "place" ? COUNT_RUNS : []),
  ];
}

async function readDictionary(
  { dataset, name }: VerifiedCollection,
  { dictionary }: ManifestCollection,
  ledger: Ledger,
): Promise<Uint8Array | undefined> {
  const path = packPath(name, "dictionary", dictionary.pack);
  const bytes = await readSlice(dataset, path, dictionary);
  if (!bytes) return undefined;
  const { say } = checksOf(ledger, name, nameSlice({ ...dictionary, path }));
  try {
    const inflated = inflate(bytes, { maxBytes: MAX_DICTIONARY_BYTES });
    say("records", true, () => "");
    return inflated;
  } catch (error) {
    say("records", false, () => `the dictionary cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

/** What was found of countries so far. */
interface Sums {
  readonly rows: Map<string, number>;
  /** By country, as JSON: neighbours often have the same. */
  readonly boxes: Map<string, Set<string>>;
  /** Countries whose rows and records were read whole. */
  readonly told: Set<string>;
}

async function verifyBatch(verified: Verified, batch: ReadonlySet<string>, sums: Sums, ledger: Ledger): Promise<void> {
  const { database, dataset, name, manifest, book, dictionary, prefixRows } = verified;
  const packs = await loadPacks(verified, batch, ledger);
  const summaries = await summariseSlices(database);
  const geo = new Map(packs.flatMap(({ slices }) => slices.map((slice) => [slice.slice, slice.geo] as const)));
  const byPath = new Map<string, SliceAndRows[]>();
  const nodes: BookedNode<"location">[] = [];
  const whole = new Set(batch);
  for await (const booked of book.nodes("location", batch)) {
    const own = geo.get(booked.slice);
    if (!own) {
      whole.delete(booked.node.country);
      continue;
    }
    const rows = summaries.get(booked.slice);
    await checkSlice(database, name, booked, rows, own, ledger);
    const { country } = booked.node;
    sums.boxes.set(country, (sums.boxes.get(country) ?? new Set()).add(JSON.stringify(booked.node.bbox)));
    sums.rows.set(country, (sums.rows.get(country) ?? 0) + (rows?.rows ?? 0));
    if (!rows || rows.faulty > 0) {
      whole.delete(country);
      continue;
    }
    nodes.push(booked);
    byPath.set(booked.path, [...(byPath.get(booked.path) ?? []), [booked, rows]]);
  }
  for (const pack of packs) checkPackOfSlices(name, pack, byPath.get(pack.path) ?? [], ledger);
  checkLocationOrder(name, [...byPath.values()].flat(), ledger);
  const recorded = await loadRecords(database, { dataset, name, dictionary, book }, batch, ledger);
  const countries = new Set([...whole].filter((country) => recorded.has(country)));
  await compareRecords(database, { name, countries }, ledger);
  await loadPoints(database, { dataset, name, book, stretches: manifest.stretches }, batch, ledger);
  await comparePoints(database, { name, countries }, nodes, ledger);
  await tellTerms(database, { name, countries, prefixRows });
  await keepRows(database, name, countries);
  for (const country of countries) sums.told.add(country);
}

/** DuckDB keeps the footers of a query's files, some 100 KB each. */
const QUERY_PACKS = 64;

/** Loads the rows of the packs of these countries; returns the packs that could be read. */
async function loadPacks(
  { database, dataset, name, book }: Verified,
  batch: ReadonlySet<string>,
  ledger: Ledger,
): Promise<LocationPack[]> {
  const collection = COLLECTIONS[name];
  const loaded: LocationPack[] = [];
  await emptyRows(database);
  const load = async (packs: readonly LocationPack[]): Promise<void> => {
    await loadRows(database, { dataset, collection, isKept: isKept(name) }, packs);
    loaded.push(...packs);
  };
  const loadEach = async (packs: readonly LocationPack[]): Promise<void> => {
    for (const pack of packs) {
      const error = await load([pack]).then(() => undefined, messageOf);
      checksOf(ledger, name, pack.path).say("columns", error === undefined, () => `cannot be read: ${error}`);
    }
  };
  let waiting: LocationPack[] = [];
  for await (const pack of checkLocationPacks({ database, dataset, collection, book }, batch, ledger)) {
    waiting.push(pack);
    if (waiting.length < QUERY_PACKS) continue;
    await load(waiting).catch(() => loadEach(waiting));
    waiting = [];
  }
  await load(waiting).catch(() => loadEach(waiting));
  return loaded;
}

function checkTotals(
  name: CollectionName,
  manifest: ManifestCollection,
  { rows, boxes, told }: Sums,
  ledger: Ledger,
): void {
  const { same } = checksOf(ledger, name, "manifest.json");
  // a country that could not be read is a fault already
  const counted = Object.entries(manifest.countries).map(([country, count]) => [
    country,
    told.has(country) ? (rows.get(country) ?? 0) : count,
  ]);
  const others = [...rows].filter(([country]) => !(country in manifest.countries));
  const found = [...counted, ...others].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)) as [string, number][];
  same("counts", `${name} countries`, Object.fromEntries(found), manifest.countries);
  same(
    "counts",
    `${name} rows`,
    found.reduce((sum, [, count]) => sum + count, 0),
    manifest.rows,
  );
  if (boxes.size === 0 || !Object.keys(manifest.countries).every((country) => told.has(country))) return;
  same("counts", `${name} bbox`, boxOf([...boxes.values()]), manifest.bbox);
}

/** From slices, not pages: a page closes the gap between its members. */
function boxOf(boxes: readonly ReadonlySet<string>[]): BBox {
  return bboxUnion(boxes.flatMap((own) => [...own].map((box) => JSON.parse(box) as BBox)));
}

/** Returns whether the suggest run, compared when all collections were read, can be. */
async function verifyTables(
  { database, dataset, name, manifest, book }: Verified,
  whole: ReadonlySet<AnyRunName>,
  isWhole: boolean,
  ledger: Ledger,
): Promise<boolean> {
  const load = async (run: "suggest" | "find" | CountRunName): Promise<boolean> =>
    manifest.runs[run] !== undefined &&
    (await loadTable(database, { dataset, name, run, book }, ledger)) &&
    whole.has(run);
  if (isWhole) await checkIds(database, name, ledger);
  if ((await load("find")) && isWhole) await checkFind(database, name, ledger);
  if (name === "place") {
    for (const run of COUNT_RUNS) if ((await load(run)) && isWhole) await checkCounts(database, run, ledger);
  }
  return name !== "division" || (await load("suggest"));
}

/** That ids are unique over all countries. */
async function checkIds(database: Database, name: CollectionName, ledger: Ledger): Promise<void> {
  const [repeated] = await database.rows<{ ids: number; first: string | null }>(
    `SELECT count(*) AS ids, min(id) AS first FROM (SELECT id FROM ${IDS} GROUP BY id HAVING count(*) > 1)`,
  );
  ledger.expect(
    name,
    "ids",
    repeated?.ids === 0,
    () => `${name}: ${repeated?.ids} ids repeated, such as ${repeated?.first}`,
  );
}
