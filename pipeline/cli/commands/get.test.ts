import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import { filesBelow } from "../../base/disk/index.ts";
import { CAIRN } from "../../testing/cairn.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashExtract } from "../../testing/hash-tree.ts";
import { askedRange } from "../../testing/mirror-server.ts";
import { mirrorServers } from "../../testing/mirror-servers.ts";

const run = promisify(execFile);
const newFolder = temporaryFolders();
const serve = mirrorServers();

/** One line for each downloaded type. */
const FETCHED = /^(cairn: (place|land): [\d.]+ kB fetched, [\d.]+ s\n)+$/;

const FETCHED_AND_BUILT =
  /^cairn: land: [\d.]+ kB fetched, .*\ncairn: sources: 1 file, .*\ncairn: scan: 1 task, .*\n(cairn: \w+: \d+ tasks?, .*\n)+cairn: dataset: \d+ files, .*\n$/;

const MONACO = ["--bbox", "7.40,43.72,7.44,43.76"];

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

let mirror: string;

beforeAll(async () => {
  mirror = await newFolder();
  await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["place", "land"] });
});

test("prints the plan, downloads it, and has nothing to do the second time", async () => {
  const out = join(await newFolder(), "monaco");
  const command = ["get", "--from", mirror, ...MONACO, "--out", out];
  const dry = await cairn(...command, "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  const lines = dry.stdout.split("\n");
  expect(lines[0]).toBe("release 2026-10-21.0, box 7.4,43.72,7.44,43.76");
  expect(lines[1]).toMatch(
    /^place {13}2 of 2 files, \d of \d row groups in files that intersect, \d+ kB, about \d+ rows$/,
  );
  expect(lines[3]).toMatch(/^to fetch {10}3 files, \d row groups, \d+ kB, about [\d,]+ rows, at most [\d,]+ rows$/);
  expect(lines[4]).toMatch(/^dataset {11}about \d+ kB when built, at most \d+ kB$/);
  const got = await cairn(...command);
  expect(got).toMatchObject({ code: 0, stderr: expect.stringMatching(FETCHED) });
  expect(got.stdout).toBe(
    `${dry.stdout}${out}: release 2026-10-21.0, 1,443 rows of 2 types, ${/[\d.]+ kB, about \d+ kB when built(?=\nnext)/.exec(got.stdout)}\nnext: cairn build ${out} --out <dataset>\n`,
  );
  const again = await cairn(...command);
  expect(again.stdout).toMatch(/^nothing to fetch: .*: release 2026-10-21.0, 1,443 rows of 2 types, /);
});

test("resumes after it was killed", async () => {
  const whole = join(await newFolder(), "out");
  expect((await cairn("get", "--from", mirror, ...MONACO, "--out", whole)).code).toBe(0);
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  const command = ["get", "--from", host.url, ...MONACO, "--out", out];
  const isPiece = (asked: { path: string; range: string | undefined; times: number }) =>
    asked.path.endsWith(".parquet") && asked.range !== undefined && askedRange(asked)[0] >= 4;
  // The host never sends the land.
  const held = new Promise<void>((resolve) => {
    host.fault = (asked) => {
      if (!asked.path.includes("type=land/") || askedRange(asked)[0] !== 4) return false;
      resolve();
      return true;
    };
  });
  const child = spawn(process.execPath, [...CAIRN, ...command], { stdio: "ignore" });
  await held;
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await filesBelow(out)).toEqual([]);
  host.fault = undefined;
  const before = host.asked.splice(0).filter(isPiece);
  const got = await cairn(...command);
  expect(got).toMatchObject({ code: 0, stderr: expect.stringMatching(FETCHED) });
  expect(got.stdout).toMatch(/^resuming release 2026-10-21.0, box /);
  expect(await hashExtract(out)).toEqual(await hashExtract(whole));
  expect(before.length).toBeGreaterThan(0);
  expect(host.asked.filter(({ path }) => path.endsWith(".json"))).toEqual([]);
});

test("an error in a command is one line", async () => {
  const out = join(await newFolder(), "out");
  const area = join(await newFolder(), "area.geojson");
  await writeFile(area, "{}");
  const get = (...args: string[]) => cairn("get", "--from", mirror, "--out", out, ...args);
  expect(await get()).toEqual({
    code: 2,
    stdout: "",
    stderr: "cairn: no area given: use --place, --bbox, --country, --division or --area\n(try --help)\n",
  });
  expect((await get(...MONACO, "--release", "2020-01-01.0")).stderr).toMatch(
    /^cairn: file:.*\/catalog.json: no release 2020-01-01.0, it has 2026-10-21.0 \[CAIRN_E_OVERTURE\]\n$/,
  );
  expect((await get("--area", area)).stderr).toMatch(
    /^cairn: .*area.geojson: type must be Polygon, .* got no type \[CAIRN_E_AREA\]\n$/,
  );
  const usage: readonly (readonly [RegExp, ...string[]])[] = [
    [/a box is west,south,east,north in degrees, .*, got 1,2,3\n/, "--bbox", "1,2,3"],
    [/a country is a code of two letters, such as MC, got Monaco\n/, "--country", "Monaco"],
    [/type poi: expected place, building, /, ...MONACO, "--types", "poi"],
    [
      /'--country <code>' cannot be used with option '--bbox|'--bbox .*' cannot be used with option '--country/,
      ...MONACO,
      "--country",
      "MC",
    ],
  ];
  for (const [said, ...args] of usage) {
    const { code, stderr } = await get(...args);
    expect(stderr).toMatch(said);
    expect(code).toBe(2);
  }
  const nowhere = await cairn("get", ...MONACO, "--out", out, "--from", "no/such/mirror");
  expect(nowhere.stderr).toBe(
    "cairn: --from no/such/mirror: neither a folder nor an address (https:, http:, s3:, file:) [CAIRN_E_VALUE]\n",
  );
});

test("build overture downloads and builds in one command, and the dataset has the release's name", async () => {
  const out = join(await newFolder(), "dataset");
  const built = await cairn("build", "overture", "--from", mirror, ...MONACO, "--types", "land", "--out", out);
  expect(built.code).toBe(0);
  expect(built.stderr).toMatch(FETCHED_AND_BUILT);
  expect(built.stdout).toMatch(/^release 2026-10-21.0: 651 rows in \d+ partitions, \d+ bytes, 0 rejected$/m);
  expect(await filesBelow(`${out}.overture`)).toContain("extract.json");
});
