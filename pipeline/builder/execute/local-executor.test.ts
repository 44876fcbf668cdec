import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { buildDataset } from "../dataset/build.ts";
import { readRecord, type Task } from "../plan/index.ts";
import type { Executor } from "./executor.ts";
import { localExecutor } from "./local-executor.ts";
import { startTaskThread } from "./task-thread.ts";

const newFolder = temporaryFolders();
const monaco = { sources: ["data/sample/monaco"], types: ["land", "water", "place"], threads: 2 } as const;

test("a build with a thread writes the same bytes as one without", async () => {
  const [without, within] = [await newFolder(), await newFolder()];
  await buildDataset({ ...monaco, out: without, executor: localExecutor({ threadAfterMs: Number.POSITIVE_INFINITY }) });
  await buildDataset({ ...monaco, out: within, executor: localExecutor({ threadAfterMs: 0 }) });
  expect(await hashTree(within)).toEqual(await hashTree(without));
});

test("a task that fails in a thread rejects with its code and message, and the thread runs the next task", async () => {
  const local = localExecutor();
  const seen: string[] = [];
  const tried: Executor = {
    ...local,
    carryOut: async (plan, work, onTask) => {
      const task = work[0]?.tasks[0]?.task;
      if (task?.stage === "scan") {
        const thread = await startTaskThread();
        const gone: Task = { ...task, key: "0".repeat(32), source: { ...task.source, path: "gone.parquet" } };
        const failure = await thread
          .run(plan, gone, { memoryBytes: 2 ** 30, threads: 1 })
          .catch((error: Error) => error);
        seen.push(`${failure}`);
        await thread.run(plan, task, { memoryBytes: 2 ** 30, threads: 1 });
        seen.push(task.key);
        await thread.end();
        expect(await readRecord(plan.work, task.key)).toBeDefined();
      }
      await local.carryOut(plan, work, onTask);
    },
  };
  await buildDataset({ ...monaco, out: join(await newFolder(), "dataset"), executor: tried });
  expect(seen).toEqual([
    expect.stringMatching(/^CodedError: .*gone\.parquet/),
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ]);
});
