import { join } from "node:path";
import { expect, test } from "vitest";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import type { BuildPlan, StageName, Task } from "../plan/index.ts";
import { type BuildProgress, buildDataset, type StageReport } from "./index.ts";
import { createTaskCounter } from "./task-counter.ts";

const newFolder = temporaryFolders();

/** A task with only the fields that the counter reads. */
const task = (stage: StageName, key: string): Task => ({ stage, key, collection: "place" }) as Task;

const planOf = (tasks: readonly Task[]): BuildPlan =>
  ({
    stages: [...new Set(tasks.map(({ stage }) => stage))].map((name) => ({
      name,
      tasks: tasks.filter(({ stage }) => stage === name),
    })),
  }) as unknown as BuildPlan;

test("each task is counted once, and the total grows with the plan", () => {
  let time = 0;
  const seen: string[] = [];
  const { made, found, ended } = createTaskCounter({
    onProgress: ({ stage, done, total }) => seen.push(`${stage} ${done}/${total}`),
    onStage: ({ name, amount, kept, milliseconds }) => seen.push(`${name}: ${amount}, ${kept}, ${milliseconds}`),
    now: () => time,
  });
  const [a, b] = [task("scan", "a"), task("scan", "b")];
  const scans = planOf([a, b]);
  time = 5;
  ended("sources", 2);
  found([], scans);
  time = 15;
  made(a, scans);
  made(a, scans);
  made(b, scans);
  found([a, b], scans);
  const [c, d, e] = [task("number", "c"), task("number", "d"), task("reduce", "e")];
  const whole = planOf([a, b, c, d, e]);
  found([a, b, d], whole);
  time = 20;
  // A remote machine's task may be reported before the last task of the previous stage.
  made(e, whole);
  time = 26;
  made(c, whole);
  ended("dataset", 7);
  expect(seen).toEqual([
    "sources: 2, 0, 5",
    "scan 1/2",
    "scan 2/2",
    "scan: 2, 0, 10",
    "reduce 4/5",
    "number 5/5",
    "number: 2, 1, 11",
    "reduce: 1, 0, 0",
    "dataset: 7, 0, 0",
  ]);
});

test("a build never reports more tasks than exist, and reused tasks count", async () => {
  const [source, folder] = [await newFolder(), await newFolder()];
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73)]);
  const out = join(folder, "dataset");
  const build = async () => {
    const progress: BuildProgress[] = [];
    const stages: StageReport[] = [];
    await buildDataset({
      ...{ sources: [source], out, keep: true },
      onProgress: (one) => progress.push(one),
      onStage: (one) => stages.push(one),
    });
    return { progress, stages };
  };
  const first = await build();
  expect(first.progress.map(({ done }) => done)).toEqual(first.progress.map((_, i) => i + 1));
  expect(first.progress.filter(({ done, total }) => done > total)).toEqual([]);
  const last = first.progress.at(-1);
  expect(last?.done).toBe(last?.total);
  const names = first.stages.map(({ name }) => name);
  expect(names).toEqual(["sources", ...new Set(first.progress.map(({ stage }) => stage)), "dataset"]);
  const tasks = first.stages.filter(({ noun }) => noun === "task");
  expect(tasks.reduce((sum, { amount }) => sum + amount, 0)).toBe(first.progress.length);
  await writeGeoJson(source, "water.geojson", [point("w", 7.42, 43.73)]);
  const second = await build();
  expect(second.progress.at(-1)?.done).toBe(second.progress.at(-1)?.total);
  expect(second.progress.length).toBeLessThan(second.progress.at(-1)?.total ?? 0);
  expect(second.stages.find(({ name }) => name === "scan")).toMatchObject({ amount: 2, kept: 1 });
});
