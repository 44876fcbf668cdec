import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { makeRelease } from "../../e2e/bench/synth/release.ts";
import { publishRelease } from "../../e2e/support/releases.ts";
import { startStaticServer } from "../../e2e/support/static-server.ts";
import { CAIRN } from "../testing/cairn.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { type Outcome, runCairn } from "../testing/run-cairn.ts";
import { writeSmallDataset } from "../testing/small-dataset/index.ts";

const newFolder = temporaryFolders();

let dataset: string;
/** A dataset without faults. */
let sound: string;

beforeAll(async () => {
  [dataset, sound] = [await newFolder(), await newFolder()];
  await writeSmallDataset(dataset);
  await writeSmallDataset(sound, { collections: ["division_area"] });
});

/** Parses the result on standard output. */
function resultOf({ stdout }: Outcome): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("build prints its result as JSON, with rejects, their reasons and ignored columns", async () => {
  const [source, out] = [await newFolder(), await newFolder()];
  const properties = { colour: "red", owner: { name: "x" } };
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73, properties), point("b", 600, 0)]);
  const words = ["build", source, "--out", out, "--release", "spring", "--most-rejects", "50%"];
  const asked = await runCairn(...words, "--json");
  expect([asked.code, resultOf(asked)]).toEqual([
    0,
    {
      ...{ dataset: out, release: "spring", rows: 1, partitions: 5, bytes: expect.any(Number) },
      rejects: { rows: 1, reasons: { "position out of range": 1 } },
      collections: { connector: { rows: 1, ignored_columns: ["colour", "owner"] } },
      is_changed: true,
    },
  ]);
  expect(asked.stderr).toContain("release spring: 1 rows in 5 partitions");
  const plain = await runCairn(...words);
  expect(plain.stdout).toMatch(
    /^release spring: .*, 1 rejected\nrejected: 1 position out of range; rejects.parquet lists them\nconnector: ignored columns: colour, owner\nnothing changed: .*\n$/,
  );
});

test("get prints its result or plan as JSON; build overture prints only the result of the build", async () => {
  const [mirror, folder] = [await newFolder(), await newFolder()];
  await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["land"] });
  const area = ["--from", mirror, "--bbox", "7.40,43.72,7.44,43.76"];
  const words = ["get", ...area, "--out", join(folder, "extract"), "--json"];
  const label = { area: { label: "box 7.4,43.72,7.44,43.76", bbox: [7.4, 43.72, 7.44, 43.76] } };
  const dry = resultOf(await runCairn(...words, "--dry-run"));
  expect(dry).toMatchObject({ release: "2026-10-21.0", ...label, types: { land: { files: 1, row_groups: 1 } } });
  const got = await runCairn(...words);
  const land = { license: expect.any(String), files: 1, rows: 651, bytes: expect.any(Number) };
  const extract = { folder: join(folder, "extract"), release: "2026-10-21.0", ...label, types: { land } };
  expect(resultOf(got)).toEqual({ ...extract, is_fetched: true });
  expect(got.stderr).toContain("next: cairn build");
  expect(resultOf(await runCairn(...words))).toEqual({ ...extract, is_fetched: false });
  const built = await runCairn("build", "overture", ...area, "--out", join(folder, "dataset"), "--json");
  expect(resultOf(built)).toMatchObject({ dataset: join(folder, "dataset"), rows: 651 });
});

test("verify, diff and doctor print their results as JSON, also with a fault", async () => {
  const verified = await runCairn("verify", sound, "--json");
  expect([verified.code, resultOf(verified)]).toMatchObject([0, { dataset: sound, is_sound: true }]);
  const check = { scope: "division_area", check: "records", tested: expect.any(Number), faults: [] };
  expect(resultOf(verified).checks).toContainEqual(check);
  expect(verified.stderr).toMatch(/^ok {4}division_area: records, \d+ checked$/m);

  const diff = resultOf(await runCairn("diff", sound, sound, "--json"));
  const none = { count: 0, bytes: 0 };
  expect(diff).toMatchObject({ old: sound, new: sound, total: { uploaded: none, removed: none, fetched: none } });
  expect(diff.lines).toContainEqual(
    expect.objectContaining({ collection: "division_area", what: "records", uploaded: none }),
  );

  const server = await startStaticServer({ folders: { "/": dataset } });
  try {
    const looked = await runCairn("doctor", server.url, "--json");
    expect(resultOf(looked)).toMatchObject({
      url: server.url,
      is_sound: looked.code === 0,
      looked: [expect.any(String)],
    });
  } finally {
    await server.close();
  }

  const broken = await newFolder();
  await writeSmallDataset(broken, { collections: ["division_area"] });
  await rm(join(broken, "division_area/_records"), { recursive: true });
  const faulty = await runCairn("verify", broken, "--json");
  expect([faulty.code, resultOf(faulty)]).toMatchObject([1, { is_sound: false }]);
  expect(faulty.stderr).toMatch(/^cairn: division_area\/_records\/.*: missing$/m);
});

test("changes, keep, export, pack and tiles print their results as JSON", async () => {
  const folder = await newFolder();
  const run = async (...words: readonly string[]) => resultOf(await runCairn(...words, "--json"));
  const file = join(folder, "changes.geojson");
  const none = { collection: "division_area", added: 0, removed: 0, changed: 0 };
  expect(await run("changes", sound, sound, "--out", file)).toEqual({ file, collections: [none] });

  const places = join(folder, "places.csv");
  const exported = await run("export", dataset, "/places?country=MC", "--out", places);
  expect(exported).toEqual({ file: places, records: 24, bytes: expect.any(Number), sources: expect.any(Array) });
  const both = await runCairn("export", dataset, "/places?country=MC", "--out", "-", "--json");
  expect([both.code, both.stdout]).toEqual([2, ""]);
  expect(JSON.parse(both.stderr)).toMatchObject({ code: "CAIRN_E_USAGE" });

  const packed = await run("pack", dataset, "--country", "MC", "--name", "Monaco", "--out", folder);
  expect(packed).toMatchObject({ name: "Monaco", bytes: expect.any(Number), sha256: expect.any(String) });

  const pmtiles = join(folder, "places.pmtiles");
  const tiled = await run("tiles", dataset, "--collection", "places", "--pmtiles", pmtiles, "--max-zoom", "2");
  expect(tiled).toMatchObject({ file: pmtiles, layers: ["place"], max_zoom: 2, bytes: expect.any(Number) });

  const [older, newer] = [join(folder, "older"), join(folder, "newer")];
  await publishRelease(older, { name: "march", places: 3 });
  await publishRelease(newer, { name: "april", places: 30 });
  const kept = { release: "march", files: expect.any(Number), bytes: expect.any(Number) };
  expect(await run("keep", older, newer)).toEqual(kept);
});

/** Runs with standard output closed at once. Returns the exit code and standard error. */
async function whenReaderLeaves(...args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [...CAIRN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const stderr = text(child.stderr);
  child.stdout.destroy();
  const [code] = await ended;
  return { code, stderr: await stderr };
}

test("a closed output pipe ends a command with 0 and no message", async () => {
  const quiet = { code: 0, stderr: "" };
  expect(await whenReaderLeaves("export", dataset, "/places?country=MC", "--out", "-", "--format", "kml")).toEqual(
    quiet,
  );
  expect(await whenReaderLeaves("query", dataset, "/places?country=MC&limit=100")).toEqual(quiet);
  expect(await whenReaderLeaves("verify", sound)).toEqual(quiet);
});
