import { type CollectionName, isOvertureType, OVERTURE_TYPES } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { WORLDWIDE } from "../../../data/format/terms.ts";
import { batchesOf, cutByHash } from "../packs/index.ts";
import type { MeasuredSource } from "../sources/index.ts";
import { derivedRuns, lookupShares } from "../term-runs/index.ts";
import {
  type ColumnTableChoice,
  type JoinTask,
  keyOfTask,
  type PlannedGroup,
  type PublishTask,
  type ScanTask,
  STAGE_NAMES,
  type Stage,
  type Task,
} from "./build-plan.ts";
import { type CountryGroup, type CountryRows, groupCountries, LEAST_ROWS_OF_TABLES } from "./country-groups.ts";
import { type Amount, shareOf, sumOf, taskMemory } from "./task-memory.ts";

interface ScanInputs {
  readonly sources: readonly MeasuredSource[];
  readonly version: string;
  readonly outlines: string;
}

interface PlanInputs extends ScanInputs {
  readonly taskRows: number;
  readonly packBytes: number;
  /** Replaces `INDEX_ROWS`. */
  readonly indexRows?: number | undefined;
  /** Collections with a column table. */
  readonly tables?: ReadonlyMap<CollectionName, ColumnTableChoice> | undefined;
  /** Returns the number of accepted rows of a collection by country, in the order of codes. */
  readonly countriesOf: (type: CollectionName) => readonly CountryRows[];
}

/** Compressed bytes that a task sorts. Rows with large geometries are fewer per task. */
const TASK_BYTES = 256 * 2 ** 20;

const PLACE_BUILDING = "place_building";

interface SizedGroup extends PlannedGroup {
  readonly amount: Amount;
  /** Half-open range of its buckets in the collection. */
  readonly of: readonly [start: number, end: number];
}

interface Sizes {
  readonly groups: readonly SizedGroup[];
  /** Amount of all rows. */
  readonly amount: Amount;
}

interface Planned extends Sizes {
  readonly survey: string;
}

/** Returns a scan task for each source file. The same sources and program give the same keys. */
export function planScans({ sources, version, outlines }: ScanInputs): ScanTask[] {
  const copies = new Map<string, number>();
  return ofTypes(sources).map(({ path, name, format, type, sha256, crs, area, rejects, rows, bytes }): ScanTask => {
    const copy = copies.get(`${type} ${sha256}`) ?? 0;
    copies.set(`${type} ${sha256}`, copy + 1);
    return {
      stage: "scan",
      key: keyOfTask(
        version,
        "scan",
        type,
        format,
        sha256,
        outlines,
        copy,
        ...(area ? [area.sha256] : []),
        ...(crs === undefined ? [] : [{ crs }]),
      ),
      collection: type,
      memoryBytes: taskMemory("scan", { rows, bytes }),
      source: {
        path,
        name,
        format,
        type,
        ...(crs === undefined ? {} : { crs }),
        ...(area ? { area } : {}),
        ...(rejects === undefined ? {} : { rejects }),
      },
    };
  });
}

/** Sorts by type; sources of one type keep their order. */
function ofTypes(sources: readonly MeasuredSource[]): MeasuredSource[] {
  const own = [...new Set(sources.map(({ type }) => type))].filter((type) => !isOvertureType(type)).sort();
  return [...OVERTURE_TYPES, ...own].flatMap((type) => sources.filter((source) => source.type === type));
}

/** Returns all stages of a build except `publish`. The same sources, countries and program give the same keys. */
export function makeStages(inputs: PlanInputs): Stage[] {
  const { sources, countriesOf, taskRows } = inputs;
  const scans = planScans(inputs);
  let tasks: Task[] = [...scans];
  const planned = new Map<CollectionName, Planned>();
  const number = (collection: CollectionName, parts: readonly string[], sizes: Sizes): void => {
    const { survey, tasks: made } = planNumbering(inputs, { collection, parts, sizes });
    tasks = [...tasks, ...made];
    planned.set(collection, { ...sizes, survey });
  };
  for (const type of new Set(scans.map(({ source }) => source.type))) {
    const amount = sumOf(sources.filter((source) => source.type === type));
    const parts = scans.filter(({ source }) => source.type === type).map(({ key }) => key);
    const countries = groupCountries(countriesOf(type), isOwnName(type) ? LEAST_ROWS_OF_TABLES : undefined);
    number(type, parts, { amount, groups: sizeGroups(countries, { amount, taskRows }) });
  }
  const [places, buildings] = [planned.get("place"), planned.get("building")];
  if (places && buildings) {
    const joins = planJoins(inputs, places, buildings);
    tasks = [...tasks, ...joins];
    number(
      PLACE_BUILDING,
      joins.map(({ key }) => key),
      places,
    );
  }
  tasks = [
    ...tasks,
    ...planRuns(inputs, planned),
    ...planCellCounts(inputs, planned),
    ...planDerivedRuns(inputs, planned),
    ...planColumnTables(inputs, planned),
  ];
  return stagesOf([...tasks, ...planIndex(inputs, planned, tasks)]);
}

interface Numbering {
  readonly collection: CollectionName;
  /** Keys of the tasks that make its rows. */
  readonly parts: readonly string[];
  readonly sizes: Sizes;
}

/** Plans the duplicates, counts, survey and numbering of a collection. Returns the key of the survey, too. */
function planNumbering(
  { version, taskRows, packBytes }: PlanInputs,
  { collection, parts, sizes: { groups } }: Numbering,
): { readonly survey: string; readonly tasks: readonly Task[] } {
  const tasks: Task[] = [];
  const isJoin = collection === PLACE_BUILDING;
  const duplicates = isJoin ? "duplicates_join" : "duplicates";
  const found: string[] = [];
  for (const { share, shares, amount: mine } of shareOut(sumOf(groups.map((group) => group.amount)), taskRows)) {
    const key = keyOfTask(version, "duplicates", collection, parts, share, shares);
    tasks.push({ stage: duplicates, key, collection, memoryBytes: taskMemory(duplicates, mine), share, shares });
    found.push(key);
  }
  const tally = isJoin ? "tally_join" : "tally";
  for (const { first, last, amount: counted } of mergeGroups(groups, taskRows)) {
    for (const { share, shares, amount: mine } of shareOut(counted, taskRows)) {
      const key = keyOfTask(version, "tally", found, first, last, share, shares);
      tasks.push({ stage: tally, key, collection, memoryBytes: taskMemory(tally, mine), first, last, share, shares });
    }
  }
  const taskGroups = groups.map(({ first, last, buckets }): PlannedGroup => ({ first, last, buckets }));
  const survey = keyOfTask(version, "survey", found, taskGroups, packBytes);
  const surveyed = isJoin ? "survey_join" : "survey";
  const memoryBytes = taskMemory(surveyed, largestOf(groups));
  tasks.push({ stage: surveyed, key: survey, collection, memoryBytes, groups: taskGroups, packBytes });
  const stage = isJoin ? "number_join" : "number";
  for (const { bucket, share } of groups.flatMap(bucketsOf)) {
    const key = keyOfTask(version, "number", survey, bucket);
    tasks.push({ stage, key, collection, memoryBytes: taskMemory(stage, share), survey, bucket });
  }
  return { survey, tasks };
}

/** Plans the join of each bucket of places with the buildings near it. */
function planJoins({ version }: PlanInputs, places: Planned, buildings: Planned): JoinTask[] {
  const all = places.groups.flatMap(bucketsOf);
  const nearBuildings = shareOf(buildings.amount, all.length);
  return all.map(({ bucket, share, of }) => ({
    stage: "join",
    key: keyOfTask(version, "join", places.survey, buildings.survey, bucket),
    collection: PLACE_BUILDING,
    memoryBytes: taskMemory("join", sumOf([share, nearBuildings])),
    places: { survey: places.survey, of },
    buildings: { survey: buildings.survey },
    bucket,
  }));
}

type AllPlanned = ReadonlyMap<CollectionName, Planned>;

/** Plans the runs of each collection: `location` and `records`, `ids`, and `term`. */
function* planRuns({ version, packBytes }: PlanInputs, planned: AllPlanned): Generator<Task> {
  for (const [collection, { survey, groups, amount }] of planned) {
    for (const stage of ["reduce", "ids"] as const) {
      for (const { bucket, share, of } of groups.flatMap(bucketsOf)) {
        const key = keyOfTask(version, stage, survey, bucket);
        yield { stage, key, collection, memoryBytes: taskMemory(stage, share), survey, of, bucket };
      }
    }
    const units: { readonly amount: Amount; readonly of?: SizedGroup["of"] }[] = [...groups];
    // Terms of all countries together need all rows.
    if (WORLDWIDE.has(collection)) units.push({ amount });
    for (const { amount: mine, of } of units) {
      const key = keyOfTask(version, "terms", survey, of ?? "all");
      yield { stage: "terms", key, collection, memoryBytes: taskMemory("terms", mine), survey, of, packBytes };
    }
  }
}

/** Plans the counts per cell of each group of countries. */
function* planCellCounts({ version, packBytes }: PlanInputs, planned: AllPlanned): Generator<Task> {
  const [run, share, shares] = ["count_cell", 0, 1] as const;
  for (const [collection, { survey, groups }] of planned) {
    for (const { of, amount } of groups) {
      const from = [{ collection, survey, of }];
      const key = keyOfTask(version, "derive", collection, run, from);
      const memoryBytes = taskMemory(run, amount);
      yield { stage: "derive", key, collection, memoryBytes, run, share, shares, from, packBytes };
    }
  }
}

/** Plans suggestions, look-ups of ids, and counts of places, from all rows of some collections. */
function* planDerivedRuns({ version, packBytes }: PlanInputs, planned: AllPlanned): Generator<Task> {
  for (const { collection, run, of } of derivedRuns([...planned.keys()])) {
    const from = of.flatMap((name) => {
      const rows = planned.get(name);
      return rows ? [{ collection: name, survey: rows.survey }] : [];
    });
    const whole = sumOf(of.flatMap((name) => planned.get(name)?.groups.map(({ amount }) => amount) ?? []));
    const shares = run === "find" ? lookupShares(whole.rows) : 1;
    const memoryBytes = taskMemory(run, shareOf(whole, shares));
    for (let share = 0; share < shares; share++) {
      const key = keyOfTask(version, "derive", collection, run, from, share, shares);
      yield { stage: "derive", key, collection, memoryBytes, run, share, shares, from, packBytes };
    }
  }
}

/** Plans the column tables of the collections that have one. */
function* planColumnTables(
  { version, packBytes, tables = new Map() }: PlanInputs,
  planned: AllPlanned,
): Generator<Task> {
  const run = "table";
  for (const [collection, table] of tables) {
    const rows = planned.get(collection);
    if (!rows) continue;
    const from = [{ collection, survey: rows.survey }];
    const shares = Math.max(1, Math.ceil(rows.amount.rows / TABLE_ROWS));
    const memoryBytes = taskMemory(run, shareOf(rows.amount, shares));
    for (let share = 0; share < shares; share++) {
      const key = keyOfTask(version, "derive", collection, run, from, share, shares, table);
      yield { stage: "derive", key, collection, memoryBytes, run, share, shares, from, packBytes, table };
    }
  }
}

/** Plans the index pages of each collection. They depend on all its other tasks. */
function* planIndex(
  { version, packBytes, indexRows }: PlanInputs,
  planned: AllPlanned,
  tasks: readonly Task[],
): Generator<Task> {
  for (const [collection, { survey, groups }] of planned) {
    const found = keyOfTask(tasks.flatMap((task) => (task.collection === collection ? [task.key] : [])));
    for (const { of, amount, hasWorldwide } of indexUnits(groups, indexRows)) {
      const key = keyOfTask(version, "index", found, of, hasWorldwide);
      const memoryBytes = taskMemory("index", amount);
      yield { stage: "index", key, collection, memoryBytes, survey, of, hasWorldwide, packBytes };
    }
  }
}

/** Approximate rows of a collection of which a task sorts a column table. It decides where files end, so it is constant. */
const TABLE_ROWS = 8e6;

interface PublishInputs {
  /** The output of each task. */
  readonly made: readonly { readonly task: Task; readonly files: readonly { readonly bytes: number }[] }[];
  readonly lock: string;
  /** Approximate bytes of files that a task moves. */
  readonly shareBytes: number;
}

/** Moving a file takes as long as copying this many bytes from another disk. */
const BYTES_A_FILE = 2 ** 18;

/**
 * Returns tasks that move the output of tasks into the dataset, each about `shareBytes` bytes. The keys contain the id
 * of the lock, so no other build reuses them.
 */
export function planPublish({ made, lock, shareBytes }: PublishInputs): PublishTask[] {
  const some = made.filter(({ files }) => files.length > 0);
  const shares = batchesOf(some, shareBytes, ({ files }) =>
    files.reduce((sum, { bytes }) => sum + bytes + BYTES_A_FILE, 0),
  );
  return shares.map((share): PublishTask => {
    const from = share.map(({ task }) => task.key);
    return {
      stage: "publish",
      key: keyOfTask("publish", lock, from),
      collection: share[0]?.task.collection ?? PLACE_BUILDING,
      memoryBytes: taskMemory("publish", { rows: 0, bytes: 0 }),
      from,
      lock,
    };
  });
}

/**
 * Approximate rows of the countries whose index pages a task writes. It decides which partitions share a page, so it
 * is constant: a dataset does not depend on how work is divided.
 */
export const INDEX_ROWS = 128e6;

/** Look-ups of all rows have at most a sixteenth of the partitions of the primary copy. */
const ROWS_A_LOOKUP = 16;

type IndexUnit = Pick<SizedGroup, "amount" | "of"> & { readonly hasWorldwide: boolean };

/** Consecutive groups whose pages a task writes. The first has the data of all countries together, which sorts before all codes. */
function indexUnits(groups: readonly SizedGroup[], rows = INDEX_ROWS): IndexUnit[] {
  const weighed = groups.map(({ first, amount }) => ({ key: first, weight: amount.rows }));
  const units = cutByHash(weighed, rows).map(({ start, end }) => groups.slice(start, end));
  const lookups = shareOf(sumOf(groups.map(({ amount }) => amount)), ROWS_A_LOOKUP);
  return units.map((unit, index) => {
    const hasWorldwide = index === 0;
    return {
      amount: sumOf([...unit.map(({ amount }) => amount), ...(hasWorldwide ? [lookups] : [])]),
      of: [unit[0]?.of[0] ?? 0, unit.at(-1)?.of[1] ?? 0],
      hasWorldwide,
    };
  });
}

/** The maximum rows and the maximum bytes of any group. */
function largestOf(groups: readonly SizedGroup[]): Amount {
  const most = (member: keyof Amount): number => Math.max(...groups.map(({ amount }) => amount[member]));
  return { rows: most("rows"), bytes: most("bytes") };
}

interface GroupSizes {
  readonly amount: Amount;
  readonly taskRows: number;
}

/** Groups with their share of all rows, and their buckets. */
function sizeGroups(groups: readonly CountryGroup[], { amount, taskRows }: GroupSizes): SizedGroup[] {
  const taken = groups.reduce((sum, { rows }) => sum + rows, 0);
  let before = 0;
  return groups.map(({ first, last, rows }) => {
    const mine = taken === 0 ? amount : { rows, bytes: (amount.bytes * rows) / taken };
    const buckets = Math.max(1, Math.ceil(mine.rows / taskRows), Math.ceil(mine.bytes / TASK_BYTES));
    const of = [before, before + buckets] as const;
    before += buckets;
    return { first, last, buckets, amount: mine, of };
  });
}

/** A task that only reads keys takes this many times the rows. */
const KEY_TASK_FACTOR = 16;

interface PlannedShare {
  readonly share: number;
  readonly shares: number;
  readonly amount: Amount;
}

/** Equal shares for tasks that only read keys. */
function shareOut(amount: Amount, taskRows: number): PlannedShare[] {
  const shares = Math.max(1, Math.ceil(amount.rows / (taskRows * KEY_TASK_FACTOR)));
  return Array.from({ length: shares }, (_, share) => ({ share, shares, amount: shareOf(amount, shares) }));
}

/** Merges consecutive groups for a task that reads only their keys. */
function mergeGroups(groups: readonly SizedGroup[], taskRows: number): Pick<SizedGroup, "first" | "last" | "amount">[] {
  return batchesOf(groups, taskRows * KEY_TASK_FACTOR, ({ amount }) => amount.rows).map((batch) => ({
    first: batch[0]?.first ?? "",
    last: batch.at(-1)?.last ?? "",
    amount: sumOf(batch.map(({ amount }) => amount)),
  }));
}

interface PlannedBucket {
  readonly bucket: number;
  readonly share: Amount;
  readonly of: readonly [start: number, end: number];
}

function bucketsOf({ amount, buckets, of }: SizedGroup): PlannedBucket[] {
  const share = shareOf(amount, buckets);
  return Array.from({ length: buckets }, (_, index) => ({ bucket: of[0] + index, share, of }));
}

function stagesOf(tasks: readonly Task[]): Stage[] {
  return STAGE_NAMES.map((name) => ({ name, tasks: tasks.filter(({ stage }) => stage === name) })).filter(
    ({ tasks: members }) => members.length > 0,
  );
}
