import { COLLECTIONS, type CollectionName, OVERTURE_TYPES, type OvertureType } from "../../data/format/collections.ts";
import { RUN_NAMES } from "../../data/format/manifest.ts";
import type { MeasuredSource } from "../sources/index.ts";
import { derivedRuns, termColumns, WORLDWIDE } from "../term-runs/index.ts";
import { keyOfTask, STAGE_NAMES, type Stage, type Task } from "./build-plan.ts";

export interface PlanInputs {
  readonly sources: readonly MeasuredSource[];
  readonly version: string;
  readonly outlines: string;
  readonly taskRows: number;
}

/** Compressed bytes that a task sorts: rows with large geometries are fewer. */
const TASK_BYTES = 256 * 2 ** 20;

const PLACE_BUILDING = "place_building";

/** Pure: the same sources and program give the same keys. */
export function makeStages({ sources, version, outlines, taskRows }: PlanInputs): Stage[] {
  const tasks: Task[] = [];
  const surveys = new Map<CollectionName, { key: string; buckets: number }>();

  function scanAll(type: OvertureType, mine: readonly MeasuredSource[]): string[] {
    const seen = new Map<string, number>();
    return mine.map(({ path, name, format, sha256, area }) => {
      const copy = seen.get(sha256) ?? 0;
      seen.set(sha256, copy + 1);
      const key = keyOfTask(version, "scan", type, format, sha256, outlines, copy, ...(area ? [area.sha256] : []));
      tasks.push({
        stage: "scan",
        key,
        collection: type,
        source: { path, name, format, type, ...(area ? { area } : {}) },
      });
      return key;
    });
  }

  function surveyAll(collection: CollectionName, parts: readonly string[], buckets: number): void {
    const stage = collection === PLACE_BUILDING ? "survey_join" : "survey";
    const key = keyOfTask(version, "survey", collection, parts, buckets);
    surveys.set(collection, { key, buckets });
    tasks.push({ stage, key, collection, parts, buckets });
  }

  function joinAll(): void {
    const [places, buildings] = [surveys.get("place"), surveys.get("building")];
    if (!places || !buildings) return;
    const parts = Array.from({ length: places.buckets }, (_, bucket) => {
      const key = keyOfTask(version, "join", places.key, buildings.key, bucket);
      tasks.push({
        stage: "join",
        key,
        collection: PLACE_BUILDING,
        places: places.key,
        buildings: buildings.key,
        bucket,
      });
      return key;
    });
    surveyAll(PLACE_BUILDING, parts, places.buckets);
  }

  const types = OVERTURE_TYPES.filter((type) => sources.some((source) => source.type === type));
  for (const type of types) {
    const mine = sources.filter((source) => source.type === type);
    surveyAll(type, scanAll(type, mine), bucketsOf(mine, taskRows));
  }
  joinAll();
  for (const [collection, { key: survey, buckets }] of surveys) {
    for (const run of RUN_NAMES) {
      for (let bucket = 0; bucket < buckets; bucket++) {
        const key = keyOfTask(version, "reduce", survey, run, bucket);
        tasks.push({ stage: "reduce", key, collection, survey, run, bucket });
      }
    }
    if (termColumns(COLLECTIONS[collection]).length === 0) continue;
    // terms over all countries need all rows
    const shares = WORLDWIDE.has(collection) ? 1 : buckets;
    for (let bucket = 0; bucket < shares; bucket++) {
      const key = keyOfTask(version, "terms", survey, bucket, shares);
      tasks.push({ stage: "terms", key, collection, survey, bucket, buckets: shares });
    }
  }
  for (const { collection, run, of } of derivedRuns([...surveys.keys()])) {
    const from = of.flatMap((name) => {
      const survey = surveys.get(name);
      return survey ? [{ collection: name, survey: survey.key }] : [];
    });
    tasks.push({ stage: "derive", key: keyOfTask(version, "derive", collection, run, from), collection, run, from });
  }
  return stagesOf(tasks);
}

function bucketsOf(sources: readonly MeasuredSource[], taskRows: number): number {
  const sum = (member: "rows" | "bytes"): number => sources.reduce((total, source) => total + source[member], 0);
  return Math.max(1, Math.ceil(sum("rows") / taskRows), Math.ceil(sum("bytes") / TASK_BYTES));
}

function stagesOf(tasks: readonly Task[]): Stage[] {
  return STAGE_NAMES.map((name) => ({ name, tasks: tasks.filter(({ stage }) => stage === name) })).filter(
    ({ tasks: members }) => members.length > 0,
  );
}
