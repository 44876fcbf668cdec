/**
 * `npm run bench:updates -- [--files <list>] [--pack-size <size>]`: renames, moves or removes a thousandth of the
 * rows of each sample file, and builds again from the last checkpoints. Measures the tasks, and the upload. With all
 * files and the usual pack size, writes the document.
 * @module
 */
import { cp, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Database,
  openDatabase,
  parsePackSize,
  quoteLiteral,
  quotePath,
} from "../../pipeline/base/database/index.ts";
import { filesBelow, hashFile, readOptional } from "../../pipeline/base/disk/index.ts";
import { buildDataset } from "../../pipeline/builder/dataset/index.ts";
import { readPlan, type TaskRecord, taskFolder, tasksFolder } from "../../pipeline/builder/plan/index.ts";
import { SAMPLE_FOLDER } from "../support/folders.ts";
import { readOptions } from "../support/options.ts";
import { writeResult } from "./results.ts";

const COMMAND = "npm run bench:updates";
const SHARE = 0.001;

const { values } = readOptions({
  usage: "npm run bench:updates -- [--files <list>] [--pack-size <size>]",
  options: { files: { type: "string" }, "pack-size": { type: "string" } },
});

const packSize = values["pack-size"];

interface Built {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly bytesRead: number;
  readonly ran: number;
  readonly tasks: number;
}

interface Change {
  readonly rows: number;
  readonly changed: number;
}

interface Upload {
  readonly files: number;
  readonly bytes: number;
}

const folder = await mkdtemp(join(tmpdir(), "cairn-updates-"));
const database = await openDatabase({ folder });
try {
  const sources = join(folder, "sources");
  await cp(SAMPLE_FOLDER, sources, { recursive: true });
  const [older, newer] = [join(folder, "older"), join(folder, "newer")];
  const first = await build(sources, older);
  const before = await hashesOf(older);
  const allBytes = [...before.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = [`| all, from nothing | | | ${tell(first)} | ${before.size} | ${grouped(allBytes)} | 100 % |`];
  const wanted = values.files?.split(",") ?? (await filesBelow(sources)).filter((path) => path.endsWith(".parquet"));
  for (const file of wanted) {
    const { rows, changed } = await change(database, join(SAMPLE_FOLDER, file), join(sources, file));
    for (const end of ["", ".build"]) await cp(`${older}${end}`, `${newer}${end}`, { recursive: true });
    const built = await build(sources, newer);
    const upload = uploadOf(before, await hashesOf(newer));
    const share = `${((100 * upload.bytes) / allBytes).toFixed(1)} %`;
    lines.push(
      `| ${file} | ${grouped(rows)} | ${changed} | ${tell(built)} | ${upload.files} | ${grouped(upload.bytes)} | ${share} |`,
    );
    console.log(lines.at(-1));
    await cp(join(SAMPLE_FOLDER, file), join(sources, file));
    for (const end of ["", ".build"]) await rm(`${newer}${end}`, { recursive: true });
  }
  const report = `\
| file | rows | changed | tasks run | seconds | processor seconds | bytes read | files to upload | bytes to upload | of all |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${lines.join("\n")}

${availableParallelism()} processors, ${new Date().toISOString().slice(0, 10)}.`;
  if (!values.files && packSize === undefined) await writeResult({ name: "updates", command: COMMAND }, report);
  console.log(report);
} finally {
  database.close();
  await rm(folder, { recursive: true });
}

/** Renames, moves, or removes a third each of the rows with the lowest id hashes, those with names first. */
async function change(database: Database, from: string, to: string): Promise<Change> {
  const source = `read_parquet(${quotePath(from)}, hive_partitioning = false)`;
  const names = new Set((await database.columns(`SELECT * FROM ${source}`)).map(({ name }) => name));
  const hasNames = names.has("names");
  await database.run(`
    CREATE OR REPLACE TABLE rows AS
    SELECT *, row_number() OVER () AS place,
      row_number() OVER (ORDER BY ${hasNames ? 'names."primary" IS NULL, ' : ""}md5(id)) AS pick
    FROM ${source}`);
  const [counted] = await database.rows<{ rows: number }>("SELECT count(*) AS rows FROM rows");
  const rows = counted?.rows ?? 0;
  const changed = Math.max(1, Math.round(rows * SHARE));
  const [column, value] = hasNames
    ? ["names", `struct_update(names, "primary" := names."primary" || ' bis')`]
    : names.has("street")
      ? ["street", "street || ' bis'"]
      : ["version", '"version" + 1'];
  const isOf = (kind: number): string => `pick <= ${changed} AND pick % 3 = ${kind}`;
  await database.run(`
    COPY (
      SELECT * EXCLUDE (place, pick) REPLACE (
        CASE WHEN ${isOf(1)} THEN ${value} ELSE ${column} END AS ${column},
        CASE WHEN ${isOf(2)} THEN (SELECT geometry FROM rows WHERE pick = ${rows}) ELSE geometry END AS geometry)
      FROM rows WHERE NOT (${isOf(0)}) ORDER BY place
    ) TO ${quoteLiteral(to)} (FORMAT parquet, COMPRESSION zstd)`);
  return { rows, changed };
}

async function build(sources: string, out: string): Promise<Built> {
  const work = `${out}.build`;
  const there = new Set(await readdir(tasksFolder(work)).catch(() => []));
  const [start, processor, read] = [performance.now(), process.cpuUsage(), await bytesRead()];
  await buildDataset({
    sources: [sources],
    out,
    keep: true,
    packBytes: packSize === undefined ? undefined : parsePackSize(packSize),
  });
  const { user, system } = process.cpuUsage(processor);
  const seconds = (performance.now() - start) / 1000;
  const tasks = (await readPlan(join(work, "plan.json"))).stages.flatMap((stage) => stage.tasks);
  let ran = 0;
  for (const { key } of tasks) {
    const record: TaskRecord = JSON.parse(await readFile(join(taskFolder(work, key), "record.json"), "utf8"));
    if (!there.has(key) && record.keptFrom === undefined) ran++;
  }
  const done = { seconds, processorSeconds: (user + system) / 1e6, bytesRead: (await bytesRead()) - read };
  return { ...done, ran, tasks: tasks.length };
}

/** Bytes that this process has read so far, from Linux, including cached files. */
async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)/.exec((await readOptional("/proc/self/io")) ?? "")?.[1] ?? 0);
}

interface HashedFile {
  readonly bytes: number;
  readonly hash: string;
}

async function hashesOf(dataset: string): Promise<Map<string, HashedFile>> {
  const files = new Map<string, HashedFile>();
  for (const path of await filesBelow(dataset)) {
    const at = join(dataset, path);
    files.set(path, { bytes: (await stat(at)).size, hash: await hashFile(at) });
  }
  return files;
}

function uploadOf(before: ReadonlyMap<string, HashedFile>, after: ReadonlyMap<string, HashedFile>): Upload {
  const changed = [...after].filter(([path, { hash }]) => before.get(path)?.hash !== hash);
  return { files: changed.length, bytes: changed.reduce((sum, [, { bytes }]) => sum + bytes, 0) };
}

function tell({ ran, tasks, seconds, processorSeconds, bytesRead }: Built): string {
  return `${ran} of ${tasks} | ${seconds.toFixed(1)} | ${processorSeconds.toFixed(1)} | ${grouped(bytesRead)}`;
}

function grouped(number: number): string {
  return number.toLocaleString("en");
}
