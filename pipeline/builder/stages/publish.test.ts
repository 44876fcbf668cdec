import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { DISK, type Disk } from "../../base/disk/disk.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { lockDataset } from "../../base/disk/lock.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import type { PublishTask } from "../plan/build-plan.ts";
import { commitTask } from "../plan/records.ts";
import { publishShare } from "./publish.ts";

const newFolder = temporaryFolders();

const CONTENTS = ["one", "two", "three", "four"];

function pathOf(content: string): string {
  const hash = createHash("sha256").update(content).digest("hex");
  return `place/country=MC/${content}/${hash.slice(0, 16)}.pack`;
}

/** Output of a task, a dataset that has some of it, and the task that publishes it. */
async function prepare(there: Readonly<Record<string, string>> = {}) {
  const [work, dataset] = [await newFolder(), await newFolder()];
  const plan = {
    work,
    build: "b",
    dataset,
    version: "",
    outlines: "",
    collections: {},
    memoryBytes: 0,
    threads: 1,
    packBytes: 0,
    level: "small" as const,
    stages: [],
  };
  const common = { collection: "place", memoryBytes: 0 } as const;
  await commitTask(
    work,
    { ...common, stage: "terms", key: "made", survey: "", packBytes: 0 },
    {
      content: undefined,
      make: async (folder) => {
        await write(folder, Object.fromEntries(CONTENTS.map((content) => [pathOf(content), content])));
        await writeFile(join(folder, "rows.parquet"), "for tasks alone");
      },
    },
  );
  await write(dataset, there);
  const lock = await lockDataset(dataset);
  const task: PublishTask = { ...common, stage: "publish", key: "publishes", from: ["made"], lock: lock.id };
  return { plan, dataset, lock, task };
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function contentsIn(dataset: string): Promise<string[]> {
  const entries = await readdir(dataset, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".build.lock");
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).sort();
}

const WHOLE = [...CONTENTS].sort();

/** The dataset is on another disk. */
const ACROSS: Disk = {
  ...DISK,
  rename: (from, to) =>
    dirname(from) === dirname(to)
      ? DISK.rename(from, to)
      : Promise.reject(Object.assign(new Error("EXDEV"), { code: "EXDEV" })),
};

test("output of a task is synced before its record exists, and not again when it is renamed", async () => {
  const sync = vi.spyOn(DISK, "syncFile");
  onTestFinished(() => sync.mockRestore());
  const { plan, task, lock } = await prepare();
  const synced = sync.mock.calls.map(([path]) => basename(path));
  expect(synced.slice(0, -1).sort()).toEqual(["rows.parquet", ...CONTENTS.map((one) => basename(pathOf(one)))].sort());
  expect(synced.at(-1)).toBe("record.json");
  sync.mockClear();
  await publishShare({ plan }, task);
  expect(sync).not.toHaveBeenCalled();
  await lock.release();
});

test.each([
  ["its disk", DISK],
  ["another disk", ACROSS],
])("an intact file in the dataset stays, a damaged one is replaced, from %s", async (_, disk) => {
  const there = { [pathOf("one")]: "one", [pathOf("two")]: "owt", "place/old.txt": "old" };
  const { plan, dataset, task, lock } = await prepare(there);
  const before = await stat(join(dataset, pathOf("one")));
  expect(await publishShare({ plan, disk }, task)).toEqual({ files: CONTENTS.length });
  expect(await contentsIn(dataset)).toEqual([...CONTENTS, "old"].sort());
  expect(await stat(join(dataset, pathOf("one")))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  // The second time nothing is left to move.
  expect(await publishShare({ plan, disk }, task)).toEqual({ files: CONTENTS.length });
  expect(await contentsIn(dataset)).toEqual([...CONTENTS, "old"].sort());
  await lock.release();
});

test.each([
  ["its disk", DISK],
  ["another disk", ACROSS],
])("a second attempt may run at any time during the first, from %s", async (_, disk) => {
  let operations = 0;
  for (let moment = 0; moment <= operations; moment++) {
    const { plan, dataset, task, lock } = await prepare({ [pathOf("three")]: "damaged" });
    operations = 0;
    const interrupted = everyOperation(disk, async () => {
      if (operations++ === moment) await publishShare({ plan, disk }, task);
    });
    await publishShare({ plan, disk: interrupted }, task);
    expect(await contentsIn(dataset), `before operation ${moment}`).toEqual(WHOLE);
    await lock.release();
  }
  expect(operations).toBeGreaterThan(CONTENTS.length * 2);
});

/** A disk whose operations each wait for something first. */
function everyOperation(disk: Disk, first: () => Promise<void>): Disk {
  const on =
    <Paths extends string[]>(operation: (...paths: Paths) => Promise<void>) =>
    async (...paths: Paths) => {
      await first();
      await operation(...paths);
    };
  return {
    makeFolder: on(disk.makeFolder),
    rename: on(disk.rename),
    copy: on(disk.copy),
    remove: on(disk.remove),
    removeFolder: on(disk.removeFolder),
    syncFile: on(disk.syncFile),
    syncFolder: on(disk.syncFolder),
  };
}

test("a full disk is reported, and partial copies are removed", async () => {
  const { plan, dataset, task, lock } = await prepare();
  const disk: Disk = {
    ...ACROSS,
    copy: async (_, to) => {
      await writeFile(to, "pa");
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    },
  };
  const said = `${dataset}: the disk is full; free disk space, and build again`;
  await expect(publishShare({ plan, disk }, task)).rejects.toThrow(said);
  expect(await contentsIn(dataset)).toEqual([]);
  await publishShare({ plan, disk: ACROSS }, task);
  expect(await contentsIn(dataset)).toEqual(WHOLE);
  await lock.release();
});

test("a build that lost the lock moves no more files", async () => {
  const { plan, dataset, task, lock } = await prepare();
  await lock.release();
  const other = await lockDataset(dataset);
  await expect(publishShare({ plan }, task)).rejects.toThrow("another build took over the lock");
  expect(await contentsIn(dataset)).toEqual([]);
  await other.release();
});

test("a file that is neither in the dataset nor in the task's folder is an error", async () => {
  const { plan, task, lock } = await prepare();
  await rm(join(plan.work, "tasks", "made", pathOf("four")));
  await expect(publishShare({ plan }, task)).rejects.toThrow("ENOENT");
  expect(await filesBelow(plan.dataset)).not.toContain(pathOf("four"));
  await lock.release();
});
