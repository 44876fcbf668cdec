/**
 * Derive: a run that is made from the finished partitions of others.
 * @module
 */
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import type { PartitionNode } from "../../data/format/manifest.ts";
import type { DeriveTask } from "../build-plan.ts";
import { locateFile } from "../finished.ts";
import { readFacts, readRecord } from "../records.ts";
import { derivedRuns } from "../runs/derived-runs.ts";
import type { SurveyFacts } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";

export interface DeriveFacts {
  /** In the run's order; none when the dataset has no need of the run. */
  readonly partitions: readonly PartitionNode[];
}

/** Carries out the task. */
export async function derive(
  { plan, database, folder }: TaskContext,
  { collection, run: name, from }: DeriveTask,
): Promise<DeriveFacts> {
  const held: CollectionName[] = [];
  let countryCount = 0;
  const links: string[] = [];
  for (const { collection: other, survey, reduces } of from) {
    const { countries } = await readFacts<SurveyFacts>(plan.work, survey);
    if (countries.length > 0) held.push(other);
    if (other === collection) countryCount = countries.length;
    for (const key of reduces) {
      for (const { path } of (await readRecord(plan.work, key))?.files ?? []) {
        const link = join(folder, path);
        await mkdir(dirname(link), { recursive: true });
        await symlink(await locateFile(plan, key, path), link);
        links.push(link);
      }
    }
  }
  const derived = derivedRuns(held).find((each) => each.collection === collection && each.run === name);
  const isNeeded = derived !== undefined && countryCount >= derived.leastCountries;
  const partitions = isNeeded ? await derived.write(database, { folder }) : [];
  for (const link of links) await rm(link);
  return { partitions };
}
