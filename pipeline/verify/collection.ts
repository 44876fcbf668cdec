/** All runs of a collection, from its index to its sums. @module */
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type CountRunName,
  type ManifestCollection,
  type ManifestRun,
} from "../../data/format/manifest.ts";
import { packPath } from "../../data/format/paths.ts";
import { readDictionary } from "../../data/format/records.ts";
import type { Database } from "../database/index.ts";
import { batchCountries } from "./batches.ts";
import { type Sums, type Verified, type VerifiedCollection, verifyBatch } from "./country-batch.ts";
import { emptyIds, IDS } from "./kept-rows.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { checkPacks } from "./packs.ts";
import { readIndex } from "./read-index.ts";
import { readSlice } from "./read-slice.ts";
import { checkStretches } from "./record-table.ts";
import { nameSlice, openBook, type SliceBook } from "./slice-book.ts";
import { checkCounts, checkFind } from "./table-checks.ts";
import { loadTable } from "./table-slices.ts";
import { checkTermBoxes, hasTerms, loadTerms } from "./term-slices.ts";
import { compareTerms, emptyTold } from "./told-terms.ts";

const COUNT_RUNS: readonly CountRunName[] = ["count_brand", "count_category", "count_country"];

export interface CollectionFound {
  /** Of all packs that the index names. */
  readonly paths: readonly string[];
  /** Whether rows, records and tables of all countries could be read. */
  readonly isWhole: boolean;
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
  const dictionary = await checkDictionary(collection, manifest, ledger);
  if (!dictionary) return { paths, isWhole: false };
  const verified: Verified = { ...collection, manifest, book, dictionary };
  await checkStretches({ name, book }, manifest.stretches, ledger);
  const run = { dataset, name, book, stretches: manifest.stretches, isIndexed: whole.has("term") };
  const hasAllTerms = (await loadTerms(database, run, ledger)) && run.isIndexed;
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
  const whollyTold = [...sums.boxes].filter(([country]) => sums.told.has(country));
  const boxes = new Map(whollyTold.map(([country, own]) => [country, boxOf([own])]));
  if (isWhole && sums.boxes.size > 0) boxes.set(ALL_COUNTRIES, boxOf([...sums.boxes.values()]));
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

async function checkDictionary(
  { dataset, name }: VerifiedCollection,
  { dictionary }: ManifestCollection,
  ledger: Ledger,
): Promise<Uint8Array | undefined> {
  const path = packPath(name, "dictionary", dictionary.pack);
  const bytes = await readSlice(dataset, path, dictionary);
  if (!bytes) return undefined;
  const { say } = checksOf(ledger, name, nameSlice({ ...dictionary, path }));
  try {
    const inflated = readDictionary(bytes);
    say("records", true, () => "");
    return inflated;
  } catch (error) {
    say("records", false, () => `the dictionary cannot be read: ${messageOf(error)}`);
    return undefined;
  }
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
