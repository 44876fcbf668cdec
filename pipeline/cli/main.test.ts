import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CAIRN } from "../testing/cairn.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";

const run = promisify(execFile);
const newFolder = temporaryFolders();

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function cairn(...args: string[]): Promise<Outcome> {
  return run(process.execPath, [...CAIRN, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  );
}

test("builds, verifies, and exits with 1 if a fault is found", async () => {
  const [source, dataset] = [await newFolder(), await newFolder()];
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73), point("b", 600, 0)]);
  const build = ["build", source, "--out", dataset, "--release", "spring"];
  const refused = await cairn(...build);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^cairn: connector: 1 of 2 records rejected, 50%, and --most-rejects allows 1%: .*id b of connector.geojson .*\n$/m,
  );
  expect((await cairn(...build, "--most-rejects", "half")).stderr).toMatch(/Expected a share such as 5%/);
  const built = await cairn(...build, "--most-rejects", "50%");
  expect(built.code).toBe(0);
  expect(built.stderr).toMatch(
    /^cairn: sources: 1 file, [\d.]+ s\ncairn: scan: 1 task, all of them reused, .*\n(cairn: \w+: \d+ tasks?, .*\n)+cairn: dataset: /,
  );
  expect(built.stdout).toMatch(
    /^release spring: 1 rows in 5 partitions, \d+ bytes, 1 rejected\nrejected: 1 position out of range; rejects.parquet lists them\n$/,
  );
  const verified = await cairn("verify", dataset);
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect(verified.stdout).toMatch(/^ok {4}connector: order, \d+ checked$/m);
  await writeGeoJson(dataset, "stray.json", []);
  const faulty = await cairn("verify", dataset);
  expect(faulty).toMatchObject({ code: 1, stderr: "cairn: stray.json: no index names it\n" });
  expect(faulty.stdout).toMatch(/^FAULT dataset: files, \d+ checked$/m);
});

test("a failure is one line and exit code 1, wrong usage is exit code 2", async () => {
  const missing = join(await newFolder(), "missing");
  const failed = await cairn("build", missing, "--out", missing);
  expect(failed).toEqual({
    code: 1,
    stdout: "",
    stderr: `cairn: ${missing}: no such file or folder; check the path [CAIRN_E_NO_FILE]\n`,
  });
  expect((await cairn("build", missing, "--out", missing, "--debug")).stderr).toMatch(/\n\s+at /);
  const misused = await cairn("build", missing);
  expect(misused.code).toBe(2);
  expect(misused.stderr).toMatch(/^cairn: required option '--out <dataset>' not specified/);
  const strayed = await cairn("build", missing, "--out", missing, "--spark-master", "yarn");
  expect(strayed.code).toBe(2);
  expect(strayed.stderr).toMatch(/^cairn: --spark-master and --spark-conf are for --executor spark$/m);
});
