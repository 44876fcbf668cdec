import { type CollectionName, OVERTURE_TYPES, type OvertureType } from "../../data/format/collections.ts";
import { WORLDWIDE } from "../../data/format/terms.ts";
import type { MeasuredSource } from "../sources/index.ts";
import { derivedRuns } from "../term-runs/index.ts";
import { keyOfTask, type NumberedRows, STAGE_NAMES, type Stage, type StageName, type Task } from "./build-plan.ts";

interface PlanInputs {
  readonly sources: readonly MeasuredSource[];
  readonly version: string;
  readonly outlines: string;
  readonly taskRows: number;
  readonly packBytes: number;
}

/** Compressed bytes that a task sorts: rows with large geometries are fewer. */
const TASK_BYTES = 256 * 2 ** 20;

const PLACE_BUILDING = "place_building";

interface Sizes {
  readonly buckets: number;
  /** Of all rows. */
  readonly amount: Amount;
}

interface Planned extends NumberedRows, Sizes {}

/** Pure: the same sources and program give the same keys. */
export function makeStages({ sources, version, outlines, taskRows, packBytes }: PlanInputs): Stage[] {
  const tasks: Task[] = [];
  const planned = new Map<CollectionName, Planned>();

  function scanAll(type: OvertureType, mine: readonly MeasuredSource[]): string[] {
    const seen = new Map<string, number>();
    return mine.map(({ path, name, format, sha256, area, rows, bytes }) => {
      const copy = seen.get(sha256) ?? 0;
      seen.set(sha256, copy + 1);
      const key = keyOfTask(version, "scan", type, format, sha256, outlines, copy, ...(area ? [area.sha256] : []));
      tasks.push({
        stage: "scan",
        key,
        collection: type,
        memoryBytes: taskMemory("scan", { rows, bytes }),
        source: { path, name, format, type, ...(area ? { area } : {}) },
      });
      return key;
    });
  }

  /** Each collection is surveyed and numbered. */
  function numberAll(collection: CollectionName, parts: readonly string[], { buckets, amount }: Sizes): void {
    const isJoin = collection === PLACE_BUILDING;
    const share = shareOf(amount, buckets);
    const survey = keyOfTask(version, "survey", collection, parts, buckets, packBytes);
    const surveyed = isJoin ? "survey_join" : "survey";
    const memoryBytes = taskMemory(surveyed, amount);
    tasks.push({ stage: surveyed, key: survey, collection, memoryBytes, parts, buckets, packBytes });
    for (let bucket = 0; bucket < buckets; bucket++) {
      const key = keyOfTask(version, "number", survey, bucket);
      const stage = isJoin ? "number_join" : "number";
      tasks.push({ stage, key, collection, memoryBytes: taskMemory(stage, share), survey, bucket });
    }
    planned.set(collection, { survey, buckets, amount });
  }

  function joinAll(): void {
    const [places, buildings] = [planned.get("place"), planned.get("building")];
    if (!places || !buildings) return;
    const parts = Array.from({ length: places.buckets }, (_, bucket) => {
      const key = keyOfTask(version, "join", places.survey, buildings.survey, bucket);
      tasks.push({
        stage: "join",
        key,
        collection: PLACE_BUILDING,
        memoryBytes: taskMemory("join", shareOf(sumOf([places.amount, buildings.amount]), places.buckets)),
        places: { survey: places.survey },
        buildings: { survey: buildings.survey },
        bucket,
      });
      return key;
    });
    numberAll(PLACE_BUILDING, parts, places);
  }

  const types = OVERTURE_TYPES.filter((type) => sources.some((source) => source.type === type));
  for (const type of types) {
    const mine = sources.filter((source) => source.type === type);
    const amount = sumOf(mine);
    numberAll(type, scanAll(type, mine), { amount, buckets: bucketsOf(amount, taskRows) });
  }
  joinAll();
  for (const [collection, rows] of planned) {
    const { survey, buckets, amount } = rows;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const key = keyOfTask(version, "reduce", survey, bucket);
      const memoryBytes = taskMemory("reduce", shareOf(amount, buckets));
      tasks.push({ stage: "reduce", key, collection, memoryBytes, survey, bucket });
    }
    // terms over all countries need all rows
    const shares = WORLDWIDE.has(collection) ? 1 : buckets;
    for (let bucket = 0; bucket < shares; bucket++) {
      const key = keyOfTask(version, "terms", survey, bucket, shares);
      const memoryBytes = taskMemory("terms", shareOf(amount, shares));
      const which = { survey, bucket, buckets: shares };
      tasks.push({ stage: "terms", key, collection, memoryBytes, ...which, packBytes });
    }
  }
  for (const { collection, run, of } of derivedRuns([...planned.keys()])) {
    const from = of.flatMap((name) => {
      const rows = planned.get(name);
      return rows ? [{ collection: name, survey: rows.survey }] : [];
    });
    const key = keyOfTask(version, "derive", collection, run, from);
    const amounts = of.flatMap((name) => planned.get(name)?.amount ?? []);
    const memoryBytes = taskMemory("derive", sumOf(amounts));
    tasks.push({ stage: "derive", key, collection, memoryBytes, run, from, packBytes });
  }
  return stagesOf(tasks);
}

function sumOf(amounts: readonly Amount[]): Amount {
  const sum = (member: keyof Amount): number => amounts.reduce((total, amount) => total + amount[member], 0);
  return { rows: sum("rows"), bytes: sum("bytes") };
}

function shareOf({ rows, bytes }: Amount, count: number): Amount {
  return { rows: rows / count, bytes: bytes / count };
}

function bucketsOf({ rows, bytes }: Amount, taskRows: number): number {
  return Math.max(1, Math.ceil(rows / taskRows), Math.ceil(bytes / TASK_BYTES));
}

function stagesOf(tasks: readonly Task[]): Stage[] {
  return STAGE_NAMES.map((name) => ({ name, tasks: tasks.filter(({ stage }) => stage === name) })).filter(
    ({ tasks: members }) => members.length > 0,
  );
}

/** Rows of the sources that a task's rows come from, and their compressed bytes. */
interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/** The program, DuckDB's own, country outlines. */
const BASE_BYTES = 384 * 2 ** 20;
const LEAST_BYTES = 2 ** 30;

/**
 * For a row, as measured and a fifth more: 300,000 places and 200,000 buildings in tasks of 150,000 rows took so much beyond
 * the base where they might have had 8 GiB. With less DuckDB sorts on disk.
 */
const BYTES_PER_ROW: Readonly<Record<StageName, number>> = {
  scan: 3584,
  survey: 64,
  number: 5120,
  join: 3584,
  survey_join: 64,
  number_join: 5120,
  reduce: 3584,
  terms: 256,
  derive: 256,
};

/** Those that hold whole rows: geometries that are larger than most are held unpacked. */
const PER_SOURCE_BYTE: Readonly<Partial<Record<StageName, number>>> = { scan: 4, number: 4, join: 4, reduce: 4 };

/** Memory that a task needs, about, in few sizes: powers of two, and half as much again. */
function taskMemory(stage: StageName, { rows, bytes }: Amount): number {
  const needed = BASE_BYTES + rows * BYTES_PER_ROW[stage] + bytes * (PER_SOURCE_BYTE[stage] ?? 0);
  const power = 2 ** Math.floor(Math.log2(Math.max(needed, LEAST_BYTES)));
  return [power, 1.5 * power].find((size) => size >= needed) ?? 2 * power;
}
