/**
 * A build of the planet without rows: the plan of its tasks, and the input of the stage `index`.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  PACK_BYTES,
  type PageNode,
  type PartitionNode,
} from "../../data/format/manifest.ts";
import {
  type BuildPlan,
  type IndexTask,
  numberTasks,
  partTasks,
  reduceTasks,
  type SurveyTask,
  type Task,
} from "../builder/plan/build-plan.ts";
import { INDEX_ROWS, makeStages } from "../builder/plan/make-plan.ts";
import { taskFolder } from "../builder/plan/records.ts";
import type { IndexedRun, IndexFacts } from "../builder/stages/index-pages.ts";
import type { NumberFacts } from "../builder/stages/numbered-rows.ts";
import { type ReduceFacts, writeNodes } from "../builder/stages/recorded-rows.ts";
import type { SurveyFacts } from "../builder/stages/survey.ts";
import {
  boxAround,
  byCountry,
  type CountryToMakeUp,
  makeUpIds,
  makeUpLocation,
  makeUpRecords,
  makeUpTerms,
  peopleOf,
  type Settlement,
  shareOf,
  sliceOf,
} from "./made-up-index.ts";
import { planetRows, planetSources } from "./planet-sources.ts";

/** Rows per partition. */
interface Density {
  readonly location: number;
  readonly records: number;
  readonly term: number;
}

/**
 * Measured in the sample's countries with several slices, and in builds of millions of places and buildings. Records
 * have a chunk per pack of the primary copy, which has about 3.5 MB.
 */
const DENSITIES: Readonly<Partial<Record<CollectionName, Density>>> = {
  address: { location: 2583, records: 64_000, term: 2600 },
  place: { location: 591, records: 23_000, term: 1400 },
  place_building: { location: 494, records: 17_500, term: 1400 },
  building: { location: 882, records: 26_000, term: 8700 },
  segment: { location: 668, records: 16_500, term: 6000 },
  connector: { location: 2254, records: 62_000, term: Number.POSITIVE_INFINITY },
};
const OTHER_DENSITY: Density = { location: 668, records: 16_500, term: 6000 };

/** Rows per segment of ids: leaves of a trie that are filled by half to completely. */
const SEGMENT_ROWS = 45_000;

/** Rows per partition of a run over all countries. Look-ups are cut by powers of two. */
const LOOKUP_ROWS = 16_384;
const WORLDWIDE_ROWS = { suggest: 61, term: 457 } as const;
const COUNT_PARTITIONS = 500;

/** Partitions below an unwritten page, about as many as below a written one. */
const PAGE_PARTITIONS = 90;

export interface Planet {
  readonly plan: BuildPlan;
  /** Countries with rows, in order. */
  readonly countriesOf: (collection: CollectionName) => readonly CountryOfPlanet[];
}

type CountryOfPlanet = Omit<CountryToMakeUp, "count">;

interface PlanetOptions {
  readonly work: string;
  /** Share of the planet's rows, 0 to 1. The number of index tasks stays the same. */
  readonly share: number;
  /** A country's share of rows equals its share of people. */
  readonly settlements: readonly Settlement[];
}

/** Plans a build of a share of the planet. */
export function planPlanet({ work, share, settlements }: PlanetOptions): Planet {
  const people = peopleOf(settlements);
  const shares = Array.from(byCountry(settlements), ([country, mine]) => {
    return { country, settlements: mine, bbox: boxAround(mine), part: (share * peopleOf(mine)) / people };
  });
  const countriesOf: Planet["countriesOf"] = (collection) => {
    const rows = planetRows(collection === "place_building" ? "place" : collection);
    return shares
      .map(({ part, ...country }) => ({ ...country, rows: Math.floor(part * rows) }))
      .filter((country) => country.rows > 0);
  };
  const stages = makeStages({
    sources: planetSources(share),
    version: "v",
    outlines: "o",
    taskRows: 1e6,
    packBytes: PACK_BYTES,
    ...(share < 1 ? { indexRows: INDEX_ROWS * share } : {}),
    countriesOf: (type) => countriesOf(type).map(({ country, rows }) => [country, rows]),
  });
  const limits = { memoryBytes: 2 ** 31, threads: 1, packBytes: PACK_BYTES, level: "small" as const, collections: {} };
  const plan = { work, build: "b", version: "v", dataset: join(work, "dataset"), outlines: "o", stages, ...limits };
  return { plan, countriesOf };
}

/** Returns all tasks of a plan. */
export function tasksOf({ stages }: Pick<BuildPlan, "stages">): Task[] {
  return stages.flatMap(({ tasks }) => tasks);
}

/** Returns the index tasks of a plan. */
export function indexTasks(plan: Pick<BuildPlan, "stages">): IndexTask[] {
  return tasksOf(plan).filter((task): task is IndexTask => task.stage === "index");
}

interface GroupOfPlanet {
  readonly of: readonly [start: number, end: number];
  readonly countries: readonly CountryOfPlanet[];
}

function isSurvey(task: Task): task is SurveyTask {
  return task.stage === "survey" || task.stage === "survey_join";
}

/** Groups of consecutive countries that share tasks, with their buckets. */
function groupsOf({ plan, countriesOf }: Planet, collection: CollectionName): GroupOfPlanet[] {
  const survey = tasksOf(plan).find((task) => isSurvey(task) && task.collection === collection);
  const groups = survey && isSurvey(survey) ? survey.groups : [];
  const all = countriesOf(collection);
  let before = 0;
  return groups.map(({ first, last, buckets }) => {
    const of = [before, before + buckets] as const;
    before += buckets;
    return { of, countries: all.filter(({ country }) => first <= country && country <= last) };
  });
}

/** Returns the countries whose pages the task writes. */
export function countriesOfTask(planet: Planet, task: IndexTask): CountryOfPlanet[] {
  return groupsOfTask(planet, task).flatMap(({ countries }) => countries);
}

function groupsOfTask(planet: Planet, { collection, of: [start, end] }: IndexTask): GroupOfPlanet[] {
  return groupsOf(planet, collection).filter(({ of }) => start <= of[0] && of[0] < end);
}

function densityOf(collection: CollectionName): Density {
  return DENSITIES[collection] ?? OTHER_DENSITY;
}

/** Writes the facts of scans, joins, surveys, number tasks and reduce tasks, without segments and chunks. */
export async function writeFacts(planet: Planet): Promise<void> {
  const { plan } = planet;
  for (const survey of tasksOf(plan).filter(isSurvey)) {
    const { collection } = survey;
    const countries = planet.countriesOf(collection);
    const rows = countries.reduce((sum, country) => sum + country.rows, 0);
    const parts = partTasks(plan, collection);
    for (const [index, key] of parts.entries())
      await writeRecord(plan, key, { rows: shareOf(rows, index, parts.length), countries: [], ignored: [] });
    const rowsByCountry = countries.map((country) => [country.country, country.rows] as const);
    const dictionary = sliceOf(`${collection} dictionary`, 0);
    const facts: SurveyFacts = { parts, rows, countries: rowsByCountry, duplicates: 0, duplicateTasks: [], dictionary };
    await writeRecord(plan, survey.key, facts);
    for (const group of groupsOf(planet, collection)) {
      // Only their countries are read.
      const { records } = densityOf(collection);
      const shareAmong = async (keys: readonly string[], density: number): Promise<void> => {
        const made = group.countries.flatMap(({ country, rows: mine }) =>
          Array.from({ length: countOf(mine, density) }, () => ({ country })),
        );
        await eachShare(plan, keys, made, async (mine) => {
          const counts = new Map<string, number>();
          for (const { country } of mine) counts.set(country, (counts.get(country) ?? 0) + 1);
          const facts: NumberFacts & ReduceFacts = {
            rows: mine.length * density,
            countries: [...counts],
            sections: [],
          };
          return facts;
        });
      };
      await shareAmong(numbersOf(plan, survey, group), SEGMENT_ROWS);
      await shareAmong(reduceTasks(plan, { survey: survey.key, of: group.of }), records);
    }
  }
}

/** Number of partitions with about this many rows. */
function countOf(rows: number, density: number): number {
  return Math.max(1, Math.round(rows / density));
}

function numbersOf(plan: BuildPlan, { key }: Pick<SurveyTask, "key">, { of }: GroupOfPlanet): string[] {
  return numberTasks(plan, { survey: key, of });
}

/** Writes records of tasks that have equal shares of the items, in order. */
async function eachShare<Item>(
  plan: BuildPlan,
  keys: readonly string[],
  items: readonly Item[],
  factsOf: (mine: readonly Item[], key: string) => Promise<unknown>,
): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const [start, end] = [index, index + 1].map((place) => Math.floor((place * items.length) / keys.length));
    await writeRecord(plan, key, await factsOf(items.slice(start, end), key));
  }
}

async function writeRecord({ work }: BuildPlan, key: string, facts: unknown): Promise<void> {
  const folder = taskFolder(work, key);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "record.json"), JSON.stringify({ key, content: key, files: [], facts }));
}

/** Writes the partitions that an index task reads. */
export async function writePartitions(planet: Planet, task: IndexTask): Promise<void> {
  const { plan } = planet;
  const { collection } = task;
  const density = densityOf(collection);
  const partitionsOf = async (mine: readonly unknown[]) => ({ partitions: mine });
  for (const group of groupsOfTask(planet, task)) {
    const made = group.countries.map((country) => {
      const counted = (rows: number): CountryToMakeUp => ({ ...country, count: country.rows / rows });
      const location = makeUpLocation(counted(density.location));
      return {
        location,
        records: makeUpRecords(country.country, location, countOf(country.rows, density.records)),
        ids: makeUpIds({ ...country, count: countOf(country.rows, SEGMENT_ROWS) }),
        term: makeUpTerms(counted(density.term)),
      };
    });
    const isInGroup = (bucket: number): boolean => group.of[0] <= bucket && bucket < group.of[1];
    const keysOf = (isWanted: (task: Task) => boolean): string[] =>
      tasksOf(plan).flatMap((one) => (one.collection === collection && isWanted(one) ? [one.key] : []));
    const reduces = keysOf((one) => one.stage === "reduce" && isInGroup(one.bucket));
    const ids = keysOf((one) => one.stage === "ids" && isInGroup(one.bucket));
    const terms = keysOf((one) => one.stage === "terms" && one.of !== undefined && isInGroup(one.of[0]));
    const [slices, chunks] = [made.flatMap(({ location }) => location), made.flatMap(({ records }) => records)];
    await eachShare(
      plan,
      ids,
      made.flatMap((country) => country.ids),
      partitionsOf,
    );
    await eachShare(
      plan,
      terms,
      made.flatMap(({ term }) => term),
      partitionsOf,
    );
    for (const [index, key] of reduces.entries()) {
      const share = <Item>(items: readonly Item[]): Item[] =>
        items.slice(...[index, index + 1].map((place) => Math.floor((place * items.length) / reduces.length)));
      const nodes = { slices: share(slices), chunks: share(chunks) };
      await writeRecord(plan, key, await writeNodes(taskFolder(plan.work, key), nodes));
    }
  }
  if (task.hasWorldwide) await writeWorldwide(planet, task);
}

/** Writes partitions of data of all countries together. */
async function writeWorldwide(planet: Planet, { collection }: IndexTask): Promise<void> {
  const keysOf = (wanted: AnyRunName): string[] =>
    tasksOf(planet.plan).flatMap((task) => {
      const run = task.stage === "derive" ? task.run : task.stage === "terms" && !task.of ? "term" : undefined;
      return task.collection === collection && run === wanted ? [task.key] : [];
    });
  const world = worldOf(planet, collection);
  for (const [run, count] of worldwideRuns(planet, collection)) {
    const partitions = makeUpTerms({ ...world, count });
    await eachShare(planet.plan, keysOf(run), partitions, async (mine) => ({ partitions: mine }));
  }
}

function worldOf({ countriesOf }: Planet, collection: CollectionName): Omit<CountryOfPlanet, "settlements"> {
  const countries = countriesOf(collection);
  const rows = countries.reduce((sum, country) => sum + country.rows, 0);
  return { country: ALL_COUNTRIES, bbox: bboxUnion(countries.map(({ bbox }) => bbox)), rows };
}

/** Runs over all countries, with their numbers of partitions. */
function worldwideRuns({ plan, countriesOf }: Planet, collection: CollectionName): [AnyRunName, number][] {
  const rows = countriesOf(collection).reduce((sum, country) => sum + country.rows, 0);
  const counts: Readonly<Partial<Record<AnyRunName, number>>> = {
    find: 2 ** Math.ceil(Math.log2(Math.max(1, rows / LOOKUP_ROWS))),
    suggest: rows / WORLDWIDE_ROWS.suggest,
  };
  const runs = new Map<AnyRunName, number>();
  for (const task of tasksOf(plan)) {
    if (task.collection !== collection) continue;
    if (task.stage === "derive") runs.set(task.run, counts[task.run] ?? COUNT_PARTITIONS);
    if (task.stage === "terms" && !task.of) runs.set("term", rows / WORLDWIDE_ROWS.term);
  }
  return [...runs];
}

/** Writes the output of an index task without its pages: one generated partition replaces each page. */
export async function writeMadeUpPages(planet: Planet, task: IndexTask): Promise<void> {
  const { collection } = task;
  const density = densityOf(collection);
  const countries = countriesOfTask(planet, task);
  const nodes = new Map<AnyRunName, PartitionNode[]>();
  const add = (run: AnyRunName, made: readonly PartitionNode[]): void => {
    const all = nodes.get(run) ?? [];
    nodes.set(run, all);
    for (const node of made) all.push(node);
  };
  for (const country of countries) {
    const counted = (rows: number): CountryToMakeUp => ({ ...country, count: country.rows / rows / PAGE_PARTITIONS });
    const location = makeUpLocation(counted(density.location));
    add("location", location);
    const ids = makeUpIds(counted(SEGMENT_ROWS));
    const records = makeUpRecords(country.country, location, countOf(country.rows, density.records * PAGE_PARTITIONS));
    add(
      "records",
      records.map((record) => ({ ...record, chunk: 0 })),
    );
    add(
      "ids",
      ids.map((segment) => ({ ...segment, start: 0, segment: 0 })),
    );
    add("term", makeUpTerms(counted(density.term)));
  }
  if (task.hasWorldwide) {
    const world = worldOf(planet, collection);
    for (const [run, count] of worldwideRuns(planet, collection))
      add(run, makeUpTerms({ ...world, count: count / PAGE_PARTITIONS }));
  }
  const runs = Array.from(nodes, ([run, made]): IndexedRun => {
    const lowest = made.sort(byCountryCode).map(pageOver);
    const rows = made.reduce((sum, node) => sum + node.rows, 0);
    return { run, partitions: made.length * PAGE_PARTITIONS, rows, bytes: 0, lowest };
  });
  const boxes = nodes.get("location")?.map(({ bbox }) => bbox) ?? [];
  const firsts = countries.map(({ country }, index) => [country, index] as const);
  const facts: IndexFacts = { boxes: [bboxUnion(boxes)], segments: firsts, chunks: firsts, runs };
  await writeRecord(planet.plan, task.key, facts);
}

function byCountryCode(a: PartitionNode, b: PartitionNode): number {
  return a.country < b.country ? -1 : a.country > b.country ? 1 : 0;
}

/** Approximate bytes of a page. */
const PAGE_BYTES = 30_000;

function pageOver(node: PartitionNode): PageNode {
  const { sha256, offset, rows, bbox, country } = node;
  const slice = { sha256, bytes: PAGE_BYTES, pack: sha256.slice(0, 16), offset };
  const page = { ...slice, rows, bbox, partitions: PAGE_PARTITIONS };
  if ("first_term" in node) return { ...page, first: [country, node.first_term], last: [country, node.last_term] };
  if ("chunk" in node) return { ...page, first: [country, ""], last: [country, ""] };
  return "first_id" in node ? { ...page, first: [country, node.first_id], last: [country, node.last_id] } : page;
}
