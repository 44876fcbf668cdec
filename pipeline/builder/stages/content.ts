import { type BuildPlan, keyOfTask, type NumberedRows, type Task } from "../plan/index.ts";
import { contentsOfPartitions } from "./index-pages.ts";
import { readNear } from "./join.ts";
import { readNumbering } from "./numbered-rows.ts";
import { readRecording } from "./recorded-rows.ts";
import { readBucket } from "./survey.ts";

/**
 * Returns a hash of all input and settings that decide the output of a task. A task of an earlier build with the same
 * hash has the same output. Undefined for tasks that read all rows of a collection: the hash of their sources is in
 * their key.
 */
export async function contentOf(plan: BuildPlan, task: Task): Promise<string | undefined> {
  const reached = await whatReaches(plan, task);
  return reached && keyOfTask(plan.version, task.stage, task.collection, reached);
}

async function whatReaches(plan: BuildPlan, task: Task): Promise<readonly unknown[] | undefined> {
  const numbered = async (rows: NumberedRows): Promise<string[]> =>
    contentsOf((await readNumbering(plan, rows)).buckets);
  const recorded = async (rows: NumberedRows): Promise<string[]> =>
    contentsOf((await readRecording(plan, rows)).buckets);
  switch (task.stage) {
    case "scan":
    case "duplicates":
    case "duplicates_join":
    case "tally":
    case "tally_join":
    case "survey":
    case "survey_join":
    case "publish":
      return undefined;
    case "number":
    case "number_join": {
      const bucket = await readBucket(plan, task.survey, { run: "ids", index: task.bucket });
      return [bucket?.content ?? null];
    }
    case "join": {
      const bucket = await readBucket(plan, task.places.survey, { run: "location", index: task.bucket });
      if (!bucket) return [null];
      const { placed, near } = await readNear(plan, task);
      return [bucket.content, contentsOf(placed), contentsOf(near)];
    }
    case "reduce": {
      const bucket = await readBucket(plan, task.survey, { run: "location", index: task.bucket });
      return bucket ? [bucket.content, plan.packBytes, await numbered(task)] : [null];
    }
    case "ids": {
      const bucket = await readBucket(plan, task.survey, { run: "ids", index: task.bucket });
      return bucket ? [bucket.content, await numbered(task), await recorded(task)] : [null];
    }
    case "terms":
      return [task.of !== undefined, task.packBytes, await numbered(task)];
    case "derive": {
      const from: unknown[] = [];
      for (const rows of task.from)
        from.push(rows.collection, await (task.run === "find" ? recorded(rows) : numbered(rows)));
      return [task.run, task.packBytes, task.share, task.shares, from, ...(task.table ? [task.table] : [])];
    }
    case "index": {
      const made = await contentsOfPartitions(plan, task);
      return made && [task.packBytes, made];
    }
  }
}

function contentsOf(buckets: readonly { readonly content: string }[]): string[] {
  return buckets.map(({ content }) => content);
}
