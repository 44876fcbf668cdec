/**
 * Defects that the simulator of builds must find: each removes a defence of the builder.
 * @module
 */
import type { Change } from "../program.ts";

const BUILDER = "/pipeline/builder";
const BUILD = `${BUILDER}/dataset/build.ts`;
const LOCK = "/pipeline/base/disk/lock.ts";
const RECORDS = `${BUILDER}/plan/records.ts`;
const MOVES = `${BUILDER}/stages/publish.ts`;
const PUBLISH = `${BUILDER}/publish/publish.ts`;

export const BUILD_DEFECTS = {
  "a folder of sources that cannot be read is left out (real)": [
    {
      module: `${BUILDER}/sources/sources.ts`,
      from: 'if (isSource || !BROKEN_LINK.has(error.code ?? "")) throw error;',
      to: "if (isSource) throw error;",
    },
  ],
  "files of tasks are not synced": [{ module: RECORDS, from: "await DISK.syncFile(join(folder, path));", to: "" }],
  "folders are not synced before the manifest": [
    {
      module: MOVES,
      from: "await eachFile([...folders], (folder) => disk.syncFolder(join(dataset, folder)));",
      to: "",
    },
  ],
  "the manifest is published before the files of tasks": [
    {
      module: BUILD,
      from: "const published = await publishAhead(plan, { executor, lock, shareBytes, disk, counter });",
      to: `const published = [];
    for (const { key } of plan.stages.flatMap(({ tasks }) => tasks)) published.push(...(await publishedFiles(plan.work, key)));`,
    },
    {
      module: BUILD,
      from: "await removeOtherTasks(plan);",
      to: "await publishAhead(plan, { executor, lock, shareBytes, disk, counter });\n    await removeOtherTasks(plan);",
    },
    { module: PUBLISH, from: "await eachFile(published, (file) => checkPublished(file, dataset));", to: "" },
  ],
  "the older files are removed before the manifest is durable": [
    {
      module: PUBLISH,
      from: "for (const group of [hashed, fixed, manifest]) await publishFiles(group, options);",
      to: "for (const group of [hashed, fixed]) await publishFiles(group, options);",
    },
    {
      module: PUBLISH,
      from: "disk);\n}\n\n/** A node",
      to: "disk);\n  await publishFiles(manifest, options);\n}\n\n/** A node",
    },
  ],
  "the lock is not checked before files are moved": [{ module: MOVES, from: "    await assertHeld();\n", to: "" }],
  "a lock is taken over without a look at its process": [
    { module: LOCK, from: "isAlive: await isRunning(holder) };", to: "isAlive: false };" },
  ],
  "a reused pid is the holder of a lock": [
    { module: LOCK, from: "return (await startOf(pid)) === begun;", to: 'return begun !== "";' },
  ],
  "the output of finished tasks is not checked": [
    {
      module: RECORDS,
      from: "if (record && (await areSound(plan, record))) return true;",
      to: "if (record) return true;",
    },
  ],
  "the output of a reused task is not checked": [
    { module: RECORDS, from: "|| !(await areSound(plan, record))) return false;", to: ") return false;" },
  ],
  "a published file is not compared with its hash": [
    { module: MOVES, from: '(await hashFile(target)).startsWith(basename(target).split(".")[0] ?? "")', to: "true" },
  ],
  "copies of killed builds stay": [{ module: PUBLISH, from: "(isOurs(path) || isCopy(path))", to: "isOurs(path)" }],
  "attempts of killed builds stay": [
    { module: BUILD, from: "[attemptsFolder(work), buildsFolder(work)]", to: "[buildsFolder(work)]" },
  ],
  "drafts of locks stay": [{ module: LOCK, from: "await removeLeftovers(dataset);", to: "" }],
  "a file that another attempt moved ends the build": [
    {
      module: MOVES,
      from: "if (isMissing(error) && isNamedByContent(path) && (await isSound(target, made))) return;",
      to: "",
    },
  ],
  "a reused pid keeps files of a killed process on the disk of a node (real)": [
    {
      module: `${BUILDER}/stages/run-task.ts`,
      from: "await isRunning({ pid: Number(pid), begun })",
      to: "await isRunning({ pid: Number(pid), begun: await startOf(Number(pid)) })",
    },
  ],
  "a checkpoint that is also a changed file of the dataset is used (real)": [
    { module: RECORDS, from: "found?.nlink === 1 || !isOfDataset(path)", to: "true" },
  ],
  "a bucket of a survey that another build removed counts as empty (real)": [
    {
      module: `${BUILDER}/stages/survey.ts`,
      from: "if (!record || record.files.some(({ path }) => path === file)) throw notFinished(survey);",
      to: "",
    },
  ],
  "a build that lost its lock reports a missing file (real)": [
    { module: BUILD, from: "    await lock.assertHeld();\n", to: "" },
  ],
  "workers of a killed build run tasks of the next one (real)": [
    { module: `${BUILDER}/execute/worker.ts`, from: "if (plan.build !== build)", to: "if (plan.build === undefined)" },
  ],
  "a full disk is not reported by workers (real)": [
    {
      module: `${BUILDER}/execute/executor.ts`,
      from: 'await writeWhole(join(buildFolder(plan), "cut-off"), said);',
      to: "",
    },
  ],
} as const satisfies Record<string, readonly Change[]>;
