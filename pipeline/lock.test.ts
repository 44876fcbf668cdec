import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDataset } from "./lock.ts";
import { temporaryFolders } from "./testing/folders.ts";

const newFolder = temporaryFolders();
const lockFile = (dataset: string) => join(dataset, ".build.lock");

test("one build at a time: another is refused until the first gives the folder back", async () => {
  const dataset = await newFolder();
  const unlock = await lockDataset(dataset);
  await expect(lockDataset(dataset)).rejects.toThrow(`process ${process.pid} on ${hostname()} is building it`);
  await unlock();
  await (await lockDataset(dataset))();
});

test("of many at once one gets it", async () => {
  const dataset = await newFolder();
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset)));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("of many that find the lock of a process that is gone one gets it", async () => {
  const dataset = await newFolder();
  await writeFile(lockFile(dataset), JSON.stringify({ pid: process.pid, host: hostname(), begun: "1" }));
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset)));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await readdir(dataset)).toEqual([".build.lock"]);
});

test("the lock of a process that is gone is taken over, also when its number is another's now", async () => {
  const dataset = await newFolder();
  const gone = spawn("true");
  await once(gone, "exit");
  for (const holder of [
    { pid: gone.pid, host: hostname(), begun: "1" },
    { pid: process.pid, host: hostname(), begun: "1" },
  ]) {
    await writeFile(lockFile(dataset), JSON.stringify(holder));
    const unlock = await lockDataset(dataset);
    expect(JSON.parse(await readFile(lockFile(dataset), "utf8")).begun).not.toBe("1");
    await unlock();
  }
});

test("nothing is known of another machine's processes: its lock stands", async () => {
  const dataset = await newFolder();
  await writeFile(lockFile(dataset), JSON.stringify({ pid: 1, host: "elsewhere", begun: "1" }));
  await expect(lockDataset(dataset)).rejects.toThrow("process 1 on elsewhere");
});
