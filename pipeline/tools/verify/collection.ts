/**
 * Checks one collection: its index, its slices, and that all runs have the same rows.
 * @module
 */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type CountRunName,
  type ManifestRun,
  RUN_NAMES,
} from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { readDictionary } from "../../../data/format/records.ts";
import { compareCells, emptyCells, loadCells } from "./cell-counts.ts";
import { checkColumnTable } from "./column-table.ts";
import { emptyIds, IDS } from "./copied-rows.ts";
import { batchCountries, type Sums, verifyBatch } from "./country-batch.ts";
import { checkSegments } from "./id-table.ts";
import { checksOf } from "./ledger.ts";
import { checkInline, checkPacks, checkTexts } from "./packs.ts";
import { readIndex } from "./read-index.ts";
import { checkChunks } from "./record-table.ts";
import { openSliceTable } from "./slice-table.ts";
import { checkCounts, checkFind } from "./table-checks.ts";
import { loadTable } from "./table-slices.ts";
import { checkTermBoxes, compareTerms, emptyTermTables, hasTerms, loadTerms } from "./terms.ts";
import { expectNone, openSlice, type Verified } from "./verified.ts";

const COUNT_RUNS: readonly CountRunName[] = ["count_brand", "count_category", "count_country"];

interface CollectionFound {
  /** Paths of all packs (files) that the index names. */
  readonly paths: readonly string[];
  /** True if rows, records and ids of all countries could be read, and for divisions the suggest run. */
  readonly isWhole: boolean;
}

/**
 * Checks all runs of a collection against its rows. Reports faults to the ledger. Returns the paths of packs, and
 * whether all was read.
 */
export async function verifyCollection(given: Omit<Verified, "sliceTable">): Promise<CollectionFound> {
  const { database, name, manifest } = given;
  const sliceTable = await openSliceTable(database);
  const verified: Verified = { ...given, sliceTable };
  const whole = await readIndexes(verified);
  const paths = await checkPacks(verified);
  await checkInline(verified);
  const { dictionary } = manifest;
  const path = packPath(name, "dictionary", dictionary.pack);
  const inflated = await openSlice(verified, "records", { ...dictionary, path }, readDictionary);
  if (!inflated) return { paths, isWhole: false };
  await checkTexts(verified, inflated);
  await checkChunks(verified);
  await checkSegments(verified);
  const isIndexed = whole.has("term");
  const hasAllTerms = (await loadTerms(verified, isIndexed)) && isIndexed;
  await emptyTermTables(database);
  await emptyCells(database);
  await emptyIds(database);
  const sums: Sums = { rows: new Map(), boxes: new Map(), segments: new Map(), comparedCountries: new Set() };
  const ofRuns = await Promise.all(RUN_NAMES.map((each) => sliceTable.countries(each)));
  const rows = new Map(ofRuns.flat());
  const countries = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const batch of batchCountries(countries, given.batchRows)) await verifyBatch(verified, inflated, batch, sums);
  const isWhole =
    RUN_NAMES.every((run) => whole.has(run)) && countries.every(([country]) => sums.comparedCountries.has(country));
  if (hasAllTerms) await compareTerms(verified, sums.comparedCountries, isWhole);
  const boxes = new Map([...sums.segments].map(([country, own]) => [country, bboxUnion(own)]));
  if (isWhole && boxes.size > 0) boxes.set(ALL_COUNTRIES, bboxUnion([...sums.segments.values()].flat()));
  await checkTermBoxes(verified, boxes);
  checkTotals(verified, sums);
  const hasCells = await loadCells(verified);
  if (hasCells && whole.has("count_cell") && isWhole) await compareCells(verified);
  await checkColumnTable(verified, isWhole);
  const hasTables = await verifyTables(verified, whole, isWhole);
  return { paths, isWhole: isWhole && hasTables };
}

/** Returns the runs whose index was read completely. */
async function readIndexes(verified: Verified): Promise<Set<AnyRunName>> {
  const { name, sliceTable, manifest } = verified;
  const { runs, dictionary } = manifest;
  const whole = new Set<AnyRunName>();
  for (const [run, inManifest] of Object.entries(runs) as [AnyRunName, ManifestRun | undefined][]) {
    if (inManifest && (await readIndex(verified, run, inManifest))) whole.add(run);
  }
  const { say } = checksOf(verified, "manifest.json");
  for (const run of expectedRuns(verified)) say("index", run in runs, () => `${name} has no ${run} run`);
  sliceTable.add("dictionary", packPath(name, "dictionary", dictionary.pack), dictionary);
  sliceTable.close();
  return whole;
}

function expectedRuns({ name, collection }: Verified): AnyRunName[] {
  return [
    "find",
    "count_cell",
    ...(hasTerms(collection) ? (["term"] as const) : []),
    ...(name === "division" ? (["suggest"] as const) : []),
    ...(name === "place" ? COUNT_RUNS : []),
  ];
}

function checkTotals(verified: Verified, { rows, boxes, comparedCountries }: Sums): void {
  const { name, manifest } = verified;
  const { same } = checksOf(verified, "manifest.json");
  // An unreadable country is already a fault.
  const counted = Object.entries(manifest.countries).map(([country, count]) => [
    country,
    comparedCountries.has(country) ? (rows.get(country) ?? 0) : count,
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
  if (boxes.size === 0 || !Object.keys(manifest.countries).every((country) => comparedCountries.has(country))) return;
  same("counts", `${name} bbox`, boxOf([...boxes.values()]), manifest.bbox);
}

/** Returns the box around boxes of slices. The box of an index page would also cover gaps between its members. */
function boxOf(boxes: readonly ReadonlySet<string>[]): BBox {
  return bboxUnion(boxes.flatMap((own) => [...own].map((box) => JSON.parse(box) as BBox)));
}

/**
 * Checks the runs of tables (find, counts). Returns false if the suggest run of divisions could not be read; it is
 * compared after all collections.
 */
async function verifyTables(verified: Verified, whole: ReadonlySet<AnyRunName>, isWhole: boolean): Promise<boolean> {
  const { name, manifest } = verified;
  const load = async (run: "suggest" | "find" | CountRunName): Promise<boolean> =>
    manifest.runs[run] !== undefined && (await loadTable(verified, run)) && whole.has(run);
  if (isWhole) {
    const ids = `SELECT count(*) AS rows, min(id) AS first FROM (SELECT id FROM ${IDS} GROUP BY id HAVING count(*) > 1)`;
    await expectNone(verified, "ids", ids, (count, first) => `${count} ids repeated, such as ${first}`);
  }
  if ((await load("find")) && isWhole) await checkFind(verified);
  if (name === "place") {
    for (const run of COUNT_RUNS) if ((await load(run)) && isWhole) await checkCounts(verified, run);
  }
  return name !== "division" || (await load("suggest"));
}
