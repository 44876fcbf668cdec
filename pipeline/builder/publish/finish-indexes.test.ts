import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { type CollectionName, isCollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  MAX_PAGE_BYTES,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  PACK_BYTES,
  type PageNode,
} from "../../../data/format/manifest.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { readSettlements, type Settlement, seededRandom, termAt } from "../../testing/made-up-index.ts";
import { countriesOfTask, indexTasks, type Planet, planPlanet, tasksOf } from "../../testing/made-up-planet.ts";
import type { StepDone } from "../../testing/planet-process.ts";
import { HEAP_MIB, planetSteps } from "../../testing/planet-steps.ts";
import { WRITTEN_MANIFEST_BYTES } from "../index/fit-roots.ts";
import type { ReadPage } from "../index/slices.ts";
import { type BuildPlan, type IndexTask, planPath, readPlan } from "../plan/build-plan.ts";
import { taskFolder } from "../plan/records.ts";
import { readNodes, readRecording } from "../stages/recorded-rows.ts";
import { pagesOf } from "./finish.ts";

const newFolder = temporaryFolders();

/** Small, so that collections have several units with more partitions than a root. */
const SMALL_SHARE = 1 / 400;

let settlements: readonly Settlement[];

beforeAll(async () => {
  settlements = await readSettlements();
});

async function readFinished(work: string): Promise<{ manifest: Manifest; plan: BuildPlan; readPage: ReadPage }> {
  const plan = await readPlan(planPath(work));
  const folder = join(work, "finish");
  const manifest = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  return { manifest, plan, readPage: await pagesOf(plan, tasksOf(plan), folder) };
}

function runsOf({ runs }: ManifestCollection): [AnyRunName, ManifestRun][] {
  return Object.entries(runs) as [AnyRunName, ManifestRun][];
}

test("every partition of a small planet is found below the roots, and the pages form a tree", async () => {
  const work = await newFolder();
  const run = await planetSteps(work, SMALL_SHARE);
  const all = indexTasks(planPlanet({ work, share: SMALL_SHARE, settlements }).plan).map((_, place) => place);
  await run(["plan", "facts", "partitions"], all);
  await run(["index", "finish"], all);
  const { manifest, plan, readPage } = await readFinished(work);
  expect(indexTasks(plan).filter(({ collection }) => collection === "building").length).toBeGreaterThan(2);
  for (const [name, collection] of Object.entries(manifest.collections)) {
    if (!isCollectionName(name)) continue;
    const made: string[] = [];
    for (const task of indexTasks(plan)) {
      if (task.collection !== name) continue;
      const { buckets } = await readRecording(plan, { survey: task.survey, of: task.of });
      for await (const { slices } of readNodes(plan, { buckets }))
        for (const { country, sha256 } of slices) made.push(`${country} ${sha256}`);
    }
    for (const [run, { nodes, partitions }] of runsOf(collection)) {
      const found: string[] = [];
      for await (const node of walkIndex(nodes, (page) => readPage(name, page)))
        if (!isPage(node)) found.push(`${node.country} ${node.sha256}`);
      expect(found.length, `${name} ${run}`).toBe(partitions);
      if (run === "location") expect(found.sort()).toEqual(made.sort());
    }
  }
});

/** The index task with the most buildings: of one country, which no other task shares. */
function largestTask(planet: Planet): { readonly task: IndexTask; readonly place: number } {
  const rowsOf = (task: IndexTask): number => countriesOfTask(planet, task).reduce((sum, { rows }) => sum + rows, 0);
  const [largest] = indexTasks(planet.plan)
    .map((task, place) => ({ task, place, rows: rowsOf(task) }))
    .sort((a, b) => b.rows - a.rows);
  if (!largest) throw new Error("the plan has no index");
  return largest;
}

describe("with all of the planet", () => {
  let work: string;
  let manifest: Manifest;
  let readPage: ReadPage;
  let largest: IndexTask;
  /** Settlements of the countries whose pages are written. */
  const asked = new Map<CollectionName, readonly Settlement[]>();

  // Pages of other tasks are not written here, but in `npm run bench:planet`.
  beforeAll(async () => {
    work = await newFolder();
    const run = await planetSteps(work, 1);
    const planned = await run(["plan"]);
    const planet = planPlanet({ work, share: 1, settlements });
    const { task, place } = largestTask(planet);
    largest = task;
    const all = indexTasks(planet.plan);
    // One task has all countries.
    const ofPlaces = all.findIndex(({ collection }) => collection === "place");
    for (const written of [task, ...all.slice(ofPlaces, ofPlaces + 1)]) {
      const settled = countriesOfTask(planet, written).flatMap((country) => country.settlements);
      asked.set(written.collection, settled);
    }
    await run(["facts", "partitions", "other pages"], [place, ofPlaces]);
    const indexed = await run(["index"], [place]);
    await run(["index"], [ofPlaces]);
    const finished = await run(["finish"]);
    ({ manifest, readPage } = await readFinished(work));
    const say = ({ seconds, processorSeconds, residentBytes }: StepDone): string =>
      `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} of a processor, ${Math.round(residentBytes / 2 ** 20)} MiB resident`;
    console.log(`plan of ${planned.tasks} tasks: ${say(planned)}`);
    console.log(`pages of ${indexed.partitions} partitions of buildings: ${say(indexed)}`);
    console.log(`roots over the pages of ${indexTasks(planet.plan).length} tasks: ${say(finished)}`);
    for (const step of [planned, indexed, finished]) expect(step.residentBytes).toBeLessThan(HEAP_MIB * 2 ** 20);
  });

  test("the index has all rows and as many slices as the planet", async () => {
    const collections = Object.values(manifest.collections);
    expect(collections.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(4.3e9);
    const slices = collections.reduce((sum, { runs }) => sum + runs.location.partitions, 0);
    expect(slices).toBeGreaterThan(1.2e6);
  });

  test("the manifest and the pages have the sizes that the format allows", async () => {
    expect((await stat(join(work, "finish/manifest.json"))).size).toBeLessThanOrEqual(WRITTEN_MANIFEST_BYTES);
    const pages = join(taskFolder(work, largest.key), "building/_pages");
    const packs = (await readdir(pages)).map((name) => stat(join(pages, name)));
    expect((await Promise.all(packs)).every(({ size }) => size <= PACK_BYTES)).toBe(true);
    const found = Object.values(manifest.collections).flatMap((collection) =>
      runsOf(collection).flatMap(([, { nodes }]) => nodes.filter(isPage)),
    );
    expect(found.every(({ bytes }) => bytes <= MAX_PAGE_BYTES)).toBe(true);
  });

  /** Pages by hash, parsed once: each has hundreds of nodes to check. The test counts requests. */
  const pagesRead = new Map<string, Promise<readonly IndexNode[]>>();

  function readOnce(collection: CollectionName, page: PageNode): Promise<readonly IndexNode[]> {
    // Nodes below an unwritten page are partitions.
    const read = pagesRead.get(page.sha256) ?? readPage(collection, page).catch(() => []);
    pagesRead.set(page.sha256, read);
    return read;
  }

  /** Counts the pages that a search reads and that are not cached yet. */
  async function countPages(
    { collection, ask }: Question,
    among: readonly Settlement[],
    known: Set<string> = new Set(),
  ): Promise<number> {
    const [run, asks] = ask(among);
    let pages = 0;
    const walk = async (nodes: readonly IndexNode[]): Promise<void> => {
      for (const node of nodes) {
        if (!isPage(node) || !asks(node)) continue;
        if (!known.has(node.sha256)) pages++;
        known.add(node.sha256);
        await walk(await readOnce(collection, node));
      }
    };
    await walk(manifest.collections[collection]?.runs[run]?.nodes ?? []);
    return pages;
  }

  test.each(Object.entries(questions))("%s: few pages at first, and fewer later", async (_, question) => {
    const among = asked.get(question.collection) ?? [];
    const first: number[] = [];
    for (let i = 0; i < 15; i++) first.push(await countPages(question, among));
    const known = new Set<string>();
    // Fill the cache with the top pages, which are few for the whole planet.
    for (let i = 0; i < 100; i++) await countPages(question, among, known);
    const later: number[] = [];
    for (let i = 0; i < 100; i++) later.push(await countPages(question, among, known));
    expect(meanOf(first)).toBeLessThan(question.mostFirst);
    expect(meanOf(later)).toBeLessThan(question.mostLater);
    expect(later.filter((pages) => pages <= 1).length / later.length).toBeGreaterThan(question.atMostOneLater);
  });
});

/** True if the query may match rows below the node. */
type Asks = (node: IndexNode) => boolean;

const random = seededRandom(7);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

function isWithin({ first, last }: PageNode, country: string, key: string): boolean {
  const order = (edge: PageNode["first"]): number => {
    const [of, at] = edge ?? ["", ""];
    return of < country ? -1 : of > country ? 1 : compareIds(at, key);
  };
  return order(first) <= 0 && order(last) >= 0;
}

interface Question {
  readonly collection: CollectionName;
  readonly ask: (among: readonly Settlement[]) => readonly [AnyRunName, Asks];
  /** Maximum mean of pages without a cache, and with the cache of earlier queries. */
  readonly mostFirst: number;
  readonly mostLater: number;
  /** Share of later queries that read at most one page. */
  readonly atMostOneLater: number;
}

const inCircle: Question["ask"] = (among) => {
  const { lon, lat } = pick(among);
  return ["location", ({ bbox }) => bboxIntersects(bbox, [lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01])];
};

const byName: Question["ask"] = (among) => {
  const { country } = pick(among);
  const term = termAt(Math.floor(random() * 300));
  return ["term", (node) => isPage(node) && isWithin(node, country, term)];
};

const questions: Readonly<Record<string, Question>> = {
  "a circle of 1 km of places": {
    ...{ collection: "place", ask: inCircle },
    ...{ mostFirst: 2.3, mostLater: 1, atMostOneLater: 0.85 },
  },
  "a place's name": {
    ...{ collection: "place", ask: byName },
    ...{ mostFirst: 2.3, mostLater: 1, atMostOneLater: 0.85 },
  },
  // In a town it matches 44 slices; there are two levels above the lowest. A node has the address of its first record,
  // so a page has 3 % fewer nodes than without.
  "a circle of 1 km of buildings": {
    ...{ collection: "building", ask: inCircle },
    ...{ mostFirst: 4.3, mostLater: 2, atMostOneLater: 0 },
  },
  "a building's name": {
    ...{ collection: "building", ask: byName },
    ...{ mostFirst: 2.1, mostLater: 1, atMostOneLater: 0.85 },
  },
};

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
