import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { booleanIntersects } from "@turf/boolean-intersects";
import { beforeAll, expect, test } from "vitest";
import type { Area } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type OvertureType } from "../../../data/format/collections.ts";
import type { Geometry } from "../../../data/format/geometry.ts";
import type { ExtractPlan } from "../../../data/release/index.ts";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import type { ReleaseFile } from "../../../e2e/bench/synth/stac.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { mirrorServers } from "../../testing/mirror-servers.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import type { AskedArea } from "../area/index.ts";
import type { GetOptions } from "./decide.ts";
import { parseMirror } from "./disk-remote.ts";
import type { FetchProgress } from "./fetch-extract.ts";
import { getExtract } from "./get-extract.ts";

const newFolder = temporaryFolders();
const serve = mirrorServers();

const LATEST = "2026-10-21.0";
const MONACO: BBox = [7.4, 43.72, 7.44, 43.76];

let mirror: string;
let files: readonly ReleaseFile[];

beforeAll(async () => {
  mirror = await newFolder();
  files = await makeRelease({ out: mirror, releases: [LATEST] });
});

const known = new Map<OvertureType, Promise<Row[]>>();

/** Reads all rows of a type one by one. */
function rowsOf(type: OvertureType): Promise<Row[]> {
  const mine = files.filter((file) => file.type === type);
  const rows =
    known.get(type) ?? Promise.all(mine.map(({ path }) => readParquet(join(mirror, path)))).then((all) => all.flat());
  known.set(type, rows);
  return rows;
}

async function rowsIn(folder: string, type: OvertureType): Promise<Row[]> {
  const below = join(folder, `theme=${COLLECTIONS[type].theme}`, `type=${type}`);
  const names = await readdir(below).catch(() => []);
  return (await Promise.all(names.sort().map((name) => readParquet(join(below, name))))).flat();
}

interface Box {
  readonly xmin: number;
  readonly xmax: number;
  readonly ymin: number;
  readonly ymax: number;
}

function boxOf({ xmin, ymin, xmax, ymax }: Box): BBox {
  return [xmin, ymin, xmax, ymax];
}

function meets({ bbox }: Row, [west, south, east, north]: BBox): boolean {
  const { xmin, xmax, ymin, ymax } = bbox as Box;
  return xmax >= west && xmin <= east && ymax >= south && ymin <= north;
}

async function get(out: string, area: AskedArea, more: Partial<GetOptions> = {}) {
  return getExtract({ out, area, mirror: parseMirror(mirror), ...more });
}

const SOME: readonly OvertureType[] = ["place", "building", "address", "segment", "division", "division_area"];

/** Compares some types with a loop over the release. */
async function expectRows(out: string, isWanted: (row: Row, type: OvertureType) => boolean): Promise<number> {
  let rows = 0;
  for (const type of SOME) {
    const wanted = (await rowsOf(type)).filter((row) => isWanted(row, type));
    expect(await rowsIn(out, type), type).toEqual(wanted);
    rows += wanted.length;
  }
  return rows;
}

/** Uses another geometry library than the product. */
function meetsArea({ geometry }: Row, area: Area): boolean {
  return booleanIntersects(geometry as Geometry as never, area as never);
}

test("a box has exactly the rows that a loop over the release finds", async () => {
  const out = join(await newFolder(), "monaco");
  const plans: ExtractPlan[] = [];
  const extract = await get(out, { kind: "box", bbox: MONACO }, { onPlan: (plan: ExtractPlan) => plans.push(plan) });
  expect(extract?.release).toBe(LATEST);
  const types = [...new Set(files.map(({ type }) => type))];
  expect(types.length).toBeGreaterThan(9);
  for (const type of types) {
    const wanted = (await rowsOf(type)).filter((row) => meets(row, MONACO));
    expect(await rowsIn(out, type), type).toEqual(wanted);
    expect(extract?.types[type]?.rows, type).toBe(wanted.length);
  }
  const bytes = plans[0]?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0;
  expect(plans[0]?.files.length).toBeLessThan(files.length / 2);
  expect(bytes).toBeGreaterThan(0);
  expect((await readdir(out)).sort()).toEqual([
    "attribution.json",
    "extract.json",
    "theme=addresses",
    "theme=base",
    "theme=buildings",
    "theme=divisions",
    "theme=places",
    "theme=transportation",
  ]);
  const credits = JSON.parse(await readFile(join(out, "attribution.json"), "utf8"));
  expect(credits.map(({ dataset }: { dataset: string }) => dataset)).toContain("OpenStreetMap");
});

test("a polygon has exactly the rows that intersect it", async () => {
  const out = join(await newFolder(), "out");
  const triangle: Area = {
    type: "Polygon",
    coordinates: [
      [
        [-105.285, 40.005],
        [-105.255, 40.01],
        [-105.27, 40.03],
        [-105.285, 40.005],
      ],
    ],
  };
  await get(out, { kind: "polygon", label: "triangle", polygon: triangle }, { types: SOME });
  const rows = await expectRows(
    out,
    (row) => meets(row, [-105.285, 40.005, -105.255, 40.03]) && meetsArea(row, triangle),
  );
  expect(rows).toBeGreaterThan(5000);
});

test("a country has the rows that intersect its area or declare it", async () => {
  const out = join(await newFolder(), "out");
  const notices: string[] = [];
  await get(out, { kind: "country", code: "MC" }, { types: SOME, onNotice: (notice) => notices.push(notice) });
  expect(notices).toEqual([]);
  const areas = (await rowsOf("division_area")).filter(
    ({ subtype, country, is_territorial }) => subtype === "country" && country === "MC" && is_territorial !== false,
  );
  expect(areas.length).toBeGreaterThan(0);
  const box = areas.map(({ bbox }) => bbox as Box);
  const bbox: BBox = [
    Math.min(...box.map(({ xmin }) => xmin)),
    Math.min(...box.map(({ ymin }) => ymin)),
    Math.max(...box.map(({ xmax }) => xmax)),
    Math.max(...box.map(({ ymax }) => ymax)),
  ];
  const rows = await expectRows(out, (row, type) => {
    if (!meets(row, bbox)) return false;
    const declared = COLLECTIONS[type].countryRule === "declared" ? row.country : null;
    return declared ? declared === "MC" : areas.some(({ geometry }) => meetsArea(row, geometry as Area));
  });
  expect(rows).toBeGreaterThan(1000);
});

test("a country without an area in the release uses coarse borders, with a notice", async () => {
  const [folder, out] = [await newFolder(), join(await newFolder(), "out")];
  await makeRelease({ out: folder, releases: [LATEST], types: ["place"] });
  const notices: string[] = [];
  const options = { out, mirror: parseMirror(folder), onNotice: (notice: string) => notices.push(notice) };
  const extract = await getExtract({ ...options, area: { kind: "country", code: "MC" } });
  expect(notices).toEqual([`release ${LATEST} has no area of country MC: using coarse borders`]);
  expect(extract?.types.place?.rows).toBeGreaterThan(500);
  await expect(getExtract({ ...options, out: `${out}2`, area: { kind: "country", code: "XX" } })).rejects.toThrow(
    `country XX: neither release ${LATEST} nor ISO 3166-1 has it`,
  );
});

test("a division is found by its id or by its area's id", async () => {
  const area = (await rowsOf("division_area")).find(
    (row) => row.division_id && row.country === "US" && row.subtype === "locality",
  );
  const geometry = area?.geometry as Area;
  const box = boxOf(area?.bbox as Box);
  for (const id of [area?.id, area?.division_id] as string[]) {
    const out = join(await newFolder(), "out");
    await get(out, { kind: "division", id }, { types: ["division", "division_area"] });
    const wanted = (await rowsOf("division")).filter((row) => meets(row, box) && meetsArea(row, geometry));
    expect(await rowsIn(out, "division")).toEqual(wanted);
    expect((await rowsIn(out, "division_area")).map((row) => row.id)).toContain(area?.id);
  }
  const out = join(await newFolder(), "out");
  await expect(get(out, { kind: "division", id: "nobody" })).rejects.toThrow(
    `division nobody: release ${LATEST} has no area of this id`,
  );
});

test("a box over the antimeridian has both sides", async () => {
  const out = join(await newFolder(), "out");
  const [east, west]: [BBox, BBox] = [
    [170, -60, 180, 60],
    [-180, -60, -170, 60],
  ];
  await get(out, { kind: "box", bbox: [170, -60, -170, 60] }, { types: ["division"] });
  const found = await rowsIn(out, "division");
  expect(found).toEqual((await rowsOf("division")).filter((row) => meets(row, east) || meets(row, west)));
  expect(found.length).toBeGreaterThan(20);
});

test("an empty area is an error and leaves no files", async () => {
  const out = join(await newFolder(), "out");
  const types = ["place", "building"] as const;
  const swapped = { kind: "box", bbox: [MONACO[1], MONACO[0], MONACO[3], MONACO[2]] } as const;
  for (const isPlanOnly of [true, false])
    await expect(get(out, swapped, { types, isPlanOnly })).rejects.toThrow(
      /^release 2026-10-21.0 has no row in box 43.72,7.4,43.76,7.44 \(.*; with both swapped it is 7.4,43.72,7.44,43.76\)$/,
    );
  await expect(readdir(out)).rejects.toThrow("ENOENT");
  // In this corner, row groups intersect the box but rows do not.
  const corner = { kind: "box", bbox: [7.4, 43.7, 7.4001, 43.7001] } as const;
  await expect(get(out, corner, { types })).rejects.toThrow("has no row in box 7.4,43.7,7.4001,43.7001");
  // The corrected box works at once.
  expect((await get(out, { kind: "box", bbox: MONACO }, { types }))?.types.place?.rows).toBeGreaterThan(0);
});

test("an extract may contain a type without rows", async () => {
  const out = join(await newFolder(), "out");
  const [place] = (await rowsOf("place")).filter((row) => meets(row, MONACO));
  const here = { kind: "box", bbox: boxOf(place?.bbox as Box) } as const;
  const extract = await get(out, here, { types: ["place", "division"] });
  expect(extract?.types.place?.rows).toBeGreaterThan(0);
  expect(extract?.types.division).toMatchObject({ files: 0, rows: 0, bytes: 0 });
});

test("the plan is printed before the download, and alone on request", async () => {
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  const plans: ExtractPlan[] = [];
  const options = { mirror: parseMirror(host.url), types: ["place", "segment"], isPlanOnly: true } as const;
  const watched = { onPlan: (plan: ExtractPlan) => plans.push(plan) };
  await get(out, { kind: "box", bbox: MONACO }, { ...options, ...watched });
  await expect(readdir(out)).rejects.toThrow("ENOENT");
  const [plan] = plans;
  const places = plan?.files.filter(({ type }) => type === "place") ?? [];
  const groups = places.reduce((sum, file) => sum + file.groups, 0);
  expect(groups).toBeGreaterThan(0);
  const real = (await rowsOf("place")).filter((row) => meets(row, MONACO)).length;
  const estimate = places.reduce((sum, file) => sum + file.estimate, 0);
  expect(estimate).toBeGreaterThan(0);
  expect(places.reduce((sum, file) => sum + file.rows, 0)).toBeGreaterThanOrEqual(real);
  // Only the row groups, and of each file its first byte and its footer.
  host.asked.splice(0);
  const progress: FetchProgress[] = [];
  await get(
    out,
    { kind: "box", bbox: MONACO },
    { ...options, isPlanOnly: false, onProgress: (at) => progress.push(at) },
  );
  const data = host.asked.filter(({ path }) => path.endsWith(".parquet"));
  const opened = new Set(data.map(({ path }) => path)).size;
  const fetched = plan?.files.length ?? 0;
  // Opened once for the plan and once for the download.
  expect(data).toHaveLength(2 * opened + 2 * fetched);
  for (const type of ["place", "segment"] as const) {
    const last = progress.filter((at) => at.type === type).at(-1);
    const bytes = plan?.files.filter((file) => file.type === type).reduce((sum, file) => sum + file.bytes, 0);
    expect(last).toEqual({ type, bytes, total: bytes });
  }
});

test("a file that one host lacks is downloaded from the other", async () => {
  const folder = await newFolder();
  const dataUrl = "https://nowhere.invalid";
  await makeRelease({ out: folder, releases: [LATEST], types: ["place"], dataUrl });
  const host = await serve(folder);
  const item = join(folder, LATEST, "places/place/00000/00000.json");
  const document = JSON.parse(await readFile(item, "utf8"));
  const { pathname } = new URL(document.assets.aws.href);
  document.assets.aws.href = `${host.url}missing.parquet`;
  document.assets.azure.href = host.url.slice(0, -1) + pathname;
  await writeFile(item, JSON.stringify(document));
  const out = join(await newFolder(), "out");
  const mirror = parseMirror(host.url);
  const extract = await getExtract({ out, mirror, area: { kind: "box", bbox: [-105.28, 40, -105.27, 40.01] } });
  expect(extract?.types.place?.rows).toBeGreaterThan(10);
});

test("a file of another release is refused", async () => {
  const folder = await newFolder();
  await makeRelease({ out: folder, releases: [LATEST], types: ["place"] });
  const item = join(folder, LATEST, "places/place/00000/00000.json");
  await writeFile(item, (await readFile(item, "utf8")).replaceAll(`release/${LATEST}`, "release/2026-08-19.0"));
  const out = join(await newFolder(), "out");
  await expect(getExtract({ out, mirror: parseMirror(folder), area: { kind: "box", bbox: MONACO } })).rejects.toThrow(
    `00000.json: a file of release 2026-08-19.0 in release ${LATEST}`,
  );
});
