import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Database, duckdbBytes, openDatabase } from "../../base/database/index.ts";
import { isRunning, makeFolder, startOf } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { Locator } from "../country/index.ts";
import { attemptsFolder, type BuildPlan, commitTask, keepTask, type Task } from "../plan/index.ts";
import { contentOf } from "./content.ts";
import { derive } from "./derive.ts";
import { duplicates } from "./duplicates.ts";
import { ids } from "./ids.ts";
import { indexPages } from "./index-pages.ts";
import { join as joinPlaces } from "./join.ts";
import { number } from "./number.ts";
import { publishShare } from "./publish.ts";
import { reduce } from "./reduce.ts";
import type { FileContext, TaskContext } from "./row-files.ts";
import { scan } from "./scan.ts";
import { survey } from "./survey.ts";
import { tally } from "./tally.ts";
import { terms } from "./terms.ts";

interface Running {
  readonly locator: Locator;
  readonly memoryBytes: number;
  /** Threads of DuckDB. Default: those of the plan. */
  readonly threads?: number;
}

/**
 * Runs a task within the memory limit, or reuses the output of an earlier task with the same content. Throws an error
 * of DuckDB if it runs out of memory.
 */
export async function runTask(
  plan: BuildPlan,
  task: Task,
  { locator, memoryBytes, threads = plan.threads }: Running,
): Promise<void> {
  const content = await contentOf(plan, task);
  if (content !== undefined && (await keepTask(plan, task, content))) return;
  const { scratch, draft } = await makeScratch(plan);
  try {
    let database: Database | undefined;
    // A database takes 15 ms to open and close, which half of the tasks of a small build do not need.
    const open = async (): Promise<Database> => {
      database ??= await openDatabase({ folder: scratch, memoryBytes: duckdbBytes(memoryBytes), threads });
      return database;
    };
    try {
      await commitTask(plan.work, task, {
        content,
        draft,
        make: (folder) => make({ plan, folder, scratch }, task, { locator, open }),
      });
    } finally {
      database?.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Temporary output is also on the node's local disk. */
async function makeScratch({ work, scratch: root }: BuildPlan): Promise<{ scratch: string; draft?: string }> {
  if (root === undefined) {
    await makeFolder(attemptsFolder(work));
    return { scratch: await mkdtemp(join(attemptsFolder(work), "scratch-")) };
  }
  const folder = root.replace(/\$(\w+)/g, (_, name: string) => {
    const value = process.env[name];
    if (value === undefined)
      throw new CodedError("CAIRN_E_VALUE", `--scratch ${root}: ${hostname()} has no variable ${name}`);
    return value;
  });
  await makeFolder(folder);
  await removeLeftovers(folder);
  const begun = await startOf(process.pid);
  const scratch = await mkdtemp(join(folder, `${SCRATCH}${hostname()}-${process.pid}-${begun}-`));
  const draft = join(scratch, "made");
  await mkdir(draft);
  return { scratch, draft };
}

const SCRATCH = "cairn-scratch-";

/** Removes files of killed processes of this machine. Containers may have the same name, and always the same pid. */
async function removeLeftovers(folder: string): Promise<void> {
  const mine = `${SCRATCH}${hostname()}-`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(mine)) continue;
    const [, pid, begun = ""] = /^(\d+)-(\d*)-/.exec(name.slice(mine.length)) ?? [];
    if (!(await isRunning({ pid: Number(pid), begun }))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

interface Given {
  readonly locator: Locator;
  readonly open: () => Promise<Database>;
}

async function make(files: FileContext, task: Task, { locator, open }: Given): Promise<unknown> {
  const withSql = async (): Promise<TaskContext> => ({ ...files, database: await open() });
  switch (task.stage) {
    case "scan":
      return scan(await withSql(), task, await locator());
    case "duplicates":
    case "duplicates_join":
      return duplicates(await withSql(), task);
    case "tally":
    case "tally_join":
      return tally(await withSql(), task);
    case "survey":
    case "survey_join":
      return survey(await withSql(), task);
    case "number":
    case "number_join":
      return number(await withSql(), task);
    case "join":
      return joinPlaces(await withSql(), task);
    case "reduce":
      return reduce(await withSql(), task);
    case "ids":
      return ids(files, task);
    case "terms":
      return terms(files, task);
    case "derive":
      return derive(files, task, open);
    case "index":
      return indexPages(files, task);
    case "publish":
      return publishShare(files, task);
  }
}
