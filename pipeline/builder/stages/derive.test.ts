import { createHash } from "node:crypto";
import { cp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ALL_COUNTRIES, type CountRunName } from "../../../data/format/manifest.ts";
import { openDatabase } from "../../base/database/database.ts";
import { exists } from "../../base/disk/index.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { idOf, readDataset } from "../../testing/read-dataset.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "../dataset/build.ts";
import { type BuildPlan, type DeriveTask, keyOfTask, planPath, readPlan, type Task } from "../plan/build-plan.ts";
import { publishedFiles, taskFolder } from "../plan/records.ts";
import { finish } from "../publish/finish.ts";
import { findSources } from "../sources/index.ts";
import { contentOf } from "./content.ts";
import { COUNTS_FILE } from "./numbered-rows.ts";
import { LOOKUPS_FILE } from "./recorded-rows.ts";
import { runTask } from "./run-task.ts";

const newFolder = temporaryFolders();

const ROWS = 400;
/** Small, so that a country has several buckets. */
const TASK_ROWS = 40;

const CITIES = [
  { country: "JP", lon: 139.75, lat: 35.68 },
  { country: "US", lon: -105.28, lat: 40.015 },
  { country: "US", lon: -87.63, lat: 41.88 },
] as const;

interface Brand {
  readonly wikidata?: string;
  readonly names?: { readonly primary: string; readonly common?: Readonly<Record<string, string>> };
}

/** Some are equal with different spelling; one has neither a name nor another key. */
const BRANDS: readonly (Brand | undefined)[] = [
  undefined,
  { wikidata: "Q1", names: { primary: "Chain" } },
  { names: { primary: "Chain" } },
  { names: { primary: "Chain", common: { fr: "Chaîne" } } },
  { wikidata: "Q1" },
  { wikidata: "Q2", names: { primary: "Another" } },
  {},
];
const CATEGORIES = ["cafe", "hotel", "museum", undefined] as const;

interface Spot {
  readonly id: string;
  readonly country: string;
  readonly category: string | undefined;
  readonly brand: Brand | undefined;
}

const spots: Spot[] = [];
let source: string;
let dataset: string;
let plan: BuildPlan;

beforeAll(async () => {
  source = await newFolder();
  const features = Array.from({ length: ROWS }, (_, row) => {
    const digest = createHash("sha256").update(`place ${row}`).digest();
    const [a = 0, b = 0, c = 0] = digest;
    const { country, lon, lat } = CITIES[a % CITIES.length] ?? CITIES[0];
    const [category, brand] = [CATEGORIES[b % CATEGORIES.length], BRANDS[c % BRANDS.length]];
    const id = digest.toString("hex").slice(0, 32);
    spots.push({ id, country, category, brand });
    const properties = { categories: { primary: category }, brand, names: { primary: `Place ${row}` } };
    return point(id, lon + (row % 20) / 1000, lat + Math.floor(row / 20) / 1000, properties);
  });
  await writeGeoJson(source, "place.geojson", features);
  dataset = join(await newFolder(), "dataset");
  await buildDataset({ sources: [source], out: dataset, taskRows: TASK_ROWS, keep: true });
  plan = await readPlan(planPath(`${dataset}.build`));
});

function tasksOf(stage: Task["stage"]): Task[] {
  return plan.stages.flatMap(({ tasks }) => tasks.filter((task) => task.stage === stage));
}

function derivedTask(run: DeriveTask["run"]): DeriveTask {
  const task = tasksOf("derive").find((one): one is DeriveTask => one.stage === "derive" && one.run === run);
  if (!task) throw new Error(`no task makes ${run}`);
  return task;
}

/** The same task with another key, so that it runs again. */
function again<Kind extends Task>(task: Kind, change: Partial<Kind> = {}): Kind {
  const changed = { ...task, ...change };
  return { ...changed, key: keyOfTask("again", changed, Math.random()) };
}

function carryOut(task: Task, of = plan): Promise<void> {
  const locator = () => Promise.reject(new Error("no location expected"));
  return runTask(of, task, { locator, memoryBytes: 2 ** 29 });
}

const SHARES = 4;

test("look-ups in shares equal those made at once, and the dataset passes its verification", async () => {
  const find = derivedTask("find");
  const shares = Array.from({ length: SHARES }, (_, share) => again(find, { share, shares: SHARES }));
  const others = tasksOf("derive").filter(({ key }) => key !== find.key);
  const place = plan.stages.findIndex(({ name }) => name === "derive");
  const later = plan.stages
    .slice(place + 1)
    .map((stage) => ({ ...stage, tasks: stage.tasks.map((task) => again(task)) }));
  const stages = [...plan.stages.slice(0, place), { name: "derive" as const, tasks: [...others, ...shares] }, ...later];
  const shared: BuildPlan = { ...plan, stages };
  for (const task of [...shares, ...later.flatMap(({ tasks }) => tasks)]) await carryOut(task, shared);
  const [made, folder] = [await newFolder(), await newFolder()];
  const database = await openDatabase({ folder });
  const files = await findSources([source]);
  await finish(database, { plan: shared, files, release: "shared", folder: made });
  database.close();
  for (const task of stages.flatMap(({ tasks }) => tasks)) {
    for (const { path } of await publishedFiles(plan.work, task.key)) {
      const own = join(taskFolder(plan.work, task.key), path);
      // Published files are in the dataset.
      await cp((await exists(own)) ? own : join(dataset, path), join(made, path));
    }
  }
  const [whole, parted] = [await readDataset(dataset), await readDataset(made)];
  const nodes = await parted.nodes("place", "find");
  expect(nodes).toHaveLength(SHARES);
  expect(nodes.map(({ first_term }) => first_term)).toEqual(nodes.map(({ first_term }) => first_term).sort());
  const lookupsOf = async (reader: typeof whole): Promise<[number, number][]> =>
    (await reader.tables("place", "find", ["gap", "address"])).flatMap(({ table: { gap = [], address = [] } }) => {
      let key = 0;
      return gap.map((step, row): [number, number] => {
        key += Number(step);
        return [key, Number(address[row])];
      });
    });
  const expected = Array.from(await whole.records("place"), ([address, { record }]): [number, number] => {
    const hash = createHash("sha256").update(idOf(record)).digest("hex");
    return [Number.parseInt(hash.slice(0, 8), 16), address];
  }).sort(([a], [b]) => a - b);
  expect(expected).toHaveLength(ROWS);
  expect(await lookupsOf(whole)).toEqual(expected);
  expect(await lookupsOf(parted)).toEqual(expected);
  const faults = (await verifyDataset(made)).flatMap((line) => line.faults);
  expect(faults).toEqual([]);
});

test("shares of the keys have different keys", async () => {
  const find = derivedTask("find");
  const contents = [0, 1].map((share) => contentOf(plan, { ...find, share, shares: 2 }));
  expect(new Set([...(await Promise.all(contents)), await contentOf(plan, find)]).size).toBe(3);
});

interface Counted {
  readonly value: unknown;
  readonly rows: number;
  readonly brands: number;
}

/** Name and identifier of a brand with at least one of them. */
function keyOf(brand: Brand | undefined): readonly [name: string, wikidata: string | undefined] | undefined {
  const name = brand?.names?.primary;
  return name === undefined && brand?.wikidata === undefined ? undefined : [name ?? "", brand?.wikidata];
}

/** A plain loop over the source: most frequent first, then by value, a brand without an identifier first. */
function countByHand(run: CountRunName, country: string): Counted[] {
  const groups = new Map<string, Spot[]>();
  for (const spot of spots) {
    if (country !== ALL_COUNTRIES && spot.country !== country) continue;
    const key = { count_brand: keyOf(spot.brand), count_category: spot.category, count_country: spot.country }[run];
    if (key === undefined) continue;
    const text = typeof key === "string" ? key : `${key[0]}\t${key[1] ?? ""}`;
    groups.set(text, [...(groups.get(text) ?? []), spot]);
  }
  const inOrder = [...groups].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  return inOrder.map(([, members]) => {
    const [first] = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const value = { count_brand: first?.brand, count_category: first?.category, count_country: first?.country }[run];
    const brands = new Set(members.flatMap(({ brand }) => (keyOf(brand) ? [JSON.stringify(keyOf(brand))] : [])));
    return { value, rows: members.length, brands: brands.size };
  });
}

test("counts of places in many buckets equal those of a plain loop over the source", async () => {
  expect(tasksOf("number").length).toBeGreaterThan(8);
  const reader = await readDataset(dataset);
  for (const run of ["count_brand", "count_category", "count_country"] as const) {
    const tables = await reader.tables("place", run, ["value", "rows", "brands"]);
    const found = new Map<string, Counted[]>();
    for (const { country, table } of tables) {
      const { value = [], rows = [], brands = [] } = table;
      found.set(
        country,
        value.map((one, row) => ({ value: one, rows: Number(rows[row]), brands: Number(brands[row]) })),
      );
    }
    const countries = run === "count_country" ? [ALL_COUNTRIES] : [ALL_COUNTRIES, "JP", "US"];
    expect(Object.fromEntries(found), run).toEqual(
      Object.fromEntries(countries.map((country) => [country, countByHand(run, country)])),
    );
  }
});

/** Files of a stage's tasks that have rows. */
async function filesOf(stage: "number" | "reduce", name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { key } of tasksOf(stage)) {
    const path = join(taskFolder(plan.work, key), name);
    if (await exists(path)) found.push(path);
  }
  return found;
}

test("an unfinished bucket, and a lost or wrong file, are reported", async () => {
  const [lookups = ""] = await filesOf("reduce", LOOKUPS_FILE);
  const [counts = "", other = ""] = await filesOf("number", COUNTS_FILE);
  for (const [run, file] of [
    ["find", lookups],
    ["count_category", counts],
  ] as const) {
    const record = join(dirname(file), "record.json");
    await rename(record, `${record}.away`);
    await expect(carryOut(again(derivedTask(run)))).rejects.toThrow(/task \w+ is not finished, and another needs it/);
    await rename(`${record}.away`, record);
  }

  await rename(lookups, `${lookups}.away`);
  await expect(carryOut(again(derivedTask("find"), { share: 1, shares: 2 }))).rejects.toThrow(LOOKUPS_FILE);
  await rename(`${lookups}.away`, lookups);

  await rename(counts, `${counts}.away`);
  const count = () => carryOut(again(derivedTask("count_brand"), { packBytes: plan.packBytes + 1 }));
  await expect(count()).rejects.toThrow(COUNTS_FILE);
  await cp(other, counts);
  await expect(count()).rejects.toThrow(/place: \d+ rows are counted, expected 400/);
  await rm(counts);
  await rename(`${counts}.away`, counts);
  await expect(count()).resolves.toBeUndefined();
  expect(await readdir(dirname(counts))).toContain(COUNTS_FILE);
});
