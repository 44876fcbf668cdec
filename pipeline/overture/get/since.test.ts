import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { BBox } from "../../../data/format/bbox.ts";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import type { ReleaseFile } from "../../../e2e/bench/synth/stac.ts";
import { openDatabase, quotePath } from "../../base/database/database.ts";
import { filesBelow, hashFile } from "../../base/disk/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { askedRange, type MirrorServer, rangeHeaders } from "../../testing/mirror-server.ts";
import { mirrorServers } from "../../testing/mirror-servers.ts";
import { readParquet } from "../../testing/read-parquet.ts";
import type { GetOptions } from "./decide.ts";
import { parseMirror } from "./disk-remote.ts";
import { getExtract } from "./get-extract.ts";

const newFolder = temporaryFolders();
const serve = mirrorServers();

const [MARCH, APRIL] = ["2026-03-18.0", "2026-04-15.0"];
const MONACO: BBox = [7.4, 43.72, 7.44, 43.76];

let host: MirrorServer;
let notices: string[];
/** An extract of March, and the expected hashes of April's. */
let march: string;
let april: ReadonlyMap<string, string>;

async function get(out: string, more: Partial<GetOptions> = {}) {
  return getExtract({
    out,
    area: { kind: "box", bbox: MONACO },
    mirror: parseMirror(host.url),
    types: ["place", "building", "address"],
    onNotice: (notice) => notices.push(notice),
    ...more,
  });
}

async function hashesIn(folder: string): Promise<Map<string, string>> {
  const paths = (await filesBelow(folder)).sort();
  return new Map(await Promise.all(paths.map(async (path) => [path, await hashFile(join(folder, path))] as const)));
}

/** The file with the places of Monaco. */
async function placesOfMonaco(mirror: string, files: readonly ReleaseFile[]): Promise<string> {
  for (const { path } of files.filter((file) => file.type === "place" && file.path.includes(APRIL))) {
    const rows = await readParquet(join(mirror, path));
    if (rows.some(({ bbox }) => (bbox as { xmin: number }).xmin > 7.4 && (bbox as { xmax: number }).xmax < 7.44))
      return join(mirror, path);
  }
  throw new Error("no places of Monaco");
}

/** In April, one file has another version of its places. All other files are unchanged. */
beforeAll(async () => {
  const mirror = await newFolder();
  const files = await makeRelease({ out: mirror, releases: [MARCH, APRIL], types: ["place", "building", "address"] });
  const changed = await placesOfMonaco(mirror, files);
  const database = await openDatabase({ folder: await newFolder() });
  await database.run(`CREATE TABLE rows AS FROM read_parquet(${quotePath(changed)}, hive_partitioning = false)`);
  await database.run(`
    COPY (SELECT * REPLACE ("version" + 1 AS "version") FROM rows) TO ${quotePath(changed)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`);
  database.close();
  host = await serve(mirror);
  notices = [];
  march = join(await newFolder(), "march");
  await get(march, { release: MARCH });
  const out = join(await newFolder(), "april");
  await get(out);
  april = await hashesIn(out);
  const [before, after] = [await hashesIn(march), april];
  const other = [...after].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
  expect(other.filter((path) => path.endsWith(".parquet"))).toEqual([expect.stringContaining("type=place/")]);
});

beforeEach(() => {
  notices = [];
  host.fault = undefined;
  host.asked.splice(0);
});

test("files that did not change since an older extract are copied from it", async () => {
  const out = join(await newFolder(), "out");
  await get(out, { since: march });
  expect(await hashesIn(out)).toEqual(april);
  expect(notices).toEqual([
    expect.stringMatching(
      new RegExp(`^[2-9] of \\d+ files did not change since ${MARCH} and are not downloaded again$`),
    ),
  ]);
  const ranges = (type: string) =>
    host.asked.filter(({ path }) => path.includes(`${APRIL}/`) && path.includes(`type=${type}/`)).length;
  const opened = (type: string) =>
    new Set(host.asked.filter(({ path }) => path.includes(`type=${type}/`)).map(({ path }) => path)).size;
  // Only the first byte and the footer of each file.
  for (const type of ["building", "address"]) expect(ranges(type), type).toBe(2 * opened(type));
  expect(ranges("place")).toBeGreaterThan(2 * opened("place"));
});

test("an extract of another release is replaced, and its unchanged files are reused", async () => {
  const out = join(await newFolder(), "out");
  await cp(march, out, { recursive: true });
  const before = await hashesIn(out);
  await get(out, { isReplacing: true, isPlanOnly: true });
  expect(await hashesIn(out)).toEqual(before);
  // Interrupted before the first byte, then repeated.
  host.fault = ({ path, range }, response) => {
    if (!path.endsWith(".parquet") || range?.startsWith("bytes=0-")) return false;
    response.writeHead(404).end();
    return true;
  };
  await expect(get(out, { isReplacing: true })).rejects.toThrow();
  host.fault = undefined;
  host.asked.splice(0);
  await get(out, { isReplacing: true });
  expect(await hashesIn(out)).toEqual(april);
  expect(notices.at(-1)).toContain(`files did not change since ${MARCH}`);
});

test("files are reused even if the program ended while it moved the older extract", async () => {
  const out = join(await newFolder(), "out");
  await cp(march, out, { recursive: true });
  await mkdir(join(out, ".get/older"), { recursive: true });
  await rename(join(out, "extract.json"), join(out, ".get/older/extract.json"));
  await get(out, { isReplacing: true });
  expect(await hashesIn(out)).toEqual(april);
  expect(notices.at(-1)).toContain(`files did not change since ${MARCH}`);
});

test("files of another area, or of a run with --force, are not reused", async () => {
  const wider = { kind: "box", bbox: [7.35, 43.7, 7.5, 43.8] } as const;
  const whole = join(await newFolder(), "whole");
  await get(whole, { area: wider });
  for (const more of [{ area: wider }, { force: true }]) {
    const out = join(await newFolder(), "out");
    await cp(march, out, { recursive: true });
    // The run was killed right after it moved the extract.
    await mkdir(join(out, ".get/older"), { recursive: true });
    await rename(join(out, "extract.json"), join(out, ".get/older/extract.json"));
    notices = [];
    await get(out, { isReplacing: true, ...more });
    expect(await hashesIn(out)).toEqual("area" in more ? await hashesIn(whole) : april);
    expect(notices).toEqual([]);
  }
});

test("a file that the older extract lost is downloaded", async () => {
  const [older, out] = [join(await newFolder(), "older"), join(await newFolder(), "out")];
  await cp(march, older, { recursive: true });
  for (const path of await filesBelow(older)) if (path.includes("type=building/")) await rm(join(older, path));
  await get(out, { since: older });
  expect(await hashesIn(out)).toEqual(april);
});

test("files with equal ETags but different footers, or with weak ETags, are downloaded again", async () => {
  for (const etag of ['"same"', 'W/"same"']) {
    host.fault = (asked, response, body) => {
      if (!asked.path.endsWith(".parquet")) return false;
      const [start, end] = askedRange(asked);
      response.writeHead(206, rangeHeaders({ start, end, total: body.length, etag })).end(body.subarray(start, end));
      return true;
    };
    const [older, out] = [join(await newFolder(), "older"), join(await newFolder(), "out")];
    await get(older, { release: MARCH });
    notices = [];
    await get(out, { since: older });
    const rows = new Map([...april].filter(([path]) => path.endsWith(".parquet")));
    for (const [path, hash] of rows) expect((await hashesIn(out)).get(path), `${etag} ${path}`).toBe(hash);
    expect(notices.length).toBe(etag.startsWith("W/") ? 0 : 1);
  }
});

test("an older extract of another area is refused", async () => {
  const out = join(await newFolder(), "out");
  await expect(get(out, { since: join(march, "nothing") })).rejects.toThrow("holds no extract");
  const area = { kind: "box", bbox: [7.4, 43.7, 7.5, 43.8] } as const;
  await expect(get(out, { area, since: march })).rejects.toThrow(`${march}: holds box 7.4,43.72,7.44,43.76`);
});
