/** The worker of the page: engine and base map tiles. The first visit so needs no service worker. @module */
import { world } from "virtual:shipped-files";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { focusOf } from "../../../../data/format/focus.ts";
import type { Manifest } from "../../../../data/format/manifest.ts";
import { bytesOfNames, createMemo, type Near } from "../../../engine/index.ts";
import { ownFiltersOf } from "../../../search/index.ts";
import { fetchWithin } from "../../http/index.ts";
import type { MakeTile, World } from "../basemap/index.ts";
import { consoleHandlers, datasetHandlers } from "../duckdb/console-handlers.ts";
import { overtureHandlers } from "../overture/index.ts";
import { openOwnFiles } from "../own-files/index.ts";
import { loadPart } from "../parts/index.ts";
import { type DatasetSummary, serveRemote, type TileAddress } from "../protocol/index.ts";
import {
  areaHandlers,
  createReleaseKeeper,
  heldCircles,
  packHandlers,
  type ReleaseKeeper,
} from "../saved-areas/index.ts";
import { searchHandlers } from "../search/search-handlers.ts";
import type { Pin } from "../storage/index.ts";
import { type BrowserHost, compose } from "./compose.ts";
import { createTurns } from "./turns.ts";

let base: URL | undefined;
let host: BrowserHost | undefined;
let releases: ReleaseKeeper | undefined;
const pins = createMemo<Pin>();
let pin: (() => Promise<Pin>) | undefined;
let near: Near | undefined;
let isPrefetchDue = false;
/** Whether more may be read than answers need: false when the user saves data. */
let allowsPrefetch = false;
const turns = createTurns();

const ownFiles = openOwnFiles({ base: pageFolder });
const areas = areaHandlers(async () => opened().kept);

const sendStatus = serveRemote(self, {
  async open({ base: folder, dataset: location, key, allowPrefetch }) {
    base = new URL(folder);
    if (key !== undefined) pin ??= pinLoader(new URL(location ?? "dataset/", base), key);
    host ??= compose({
      base,
      ...(location === undefined ? {} : { dataset: new URL(location) }),
      pin,
      onStatus: (status) => sendStatus(status),
    });
    const { dataset } = opened();
    const manifest = await dataset.manifest();
    // with data saving on, only what answers need is read
    allowsPrefetch = allowPrefetch;
    if (allowPrefetch) prefetch();
    return summaryOf(manifest);
  },

  async refresh(_, signal) {
    const { dataset } = opened();
    return summaryOf(await dataset.refresh(signal));
  },

  async look(centre) {
    near = centre;
    prefetch();
    return undefined;
  },

  ...searchHandlers(openedDataset, {
    during: turns.search,
    rowsOf: ownFiles.exportedRows,
    allowsPrefetch: () => allowsPrefetch,
  }),

  ...areas,
  ...packHandlers(() => opened().folder, areas.importArea),
  ...ownFiles.handlers,
  ...overtureHandlers(async () => opened().decode),
  ...consoleHandlers(),
  ...datasetHandlers(() => opened().dataset),

  tile: (address, signal) => makeTile[address.map](address, signal),
});

const tileMakers = createMemo<Record<TileAddress["map"], MakeTile>>();

/** Loads what makes tiles with the first tile, so that answers do not wait for it. */
async function loadTileMakers() {
  const { localTiles, placeTiles, worldTiles } = await loadPart(() => import("../basemap/index.ts"));
  const worlds = createMemo<World>();
  const world = (signal: AbortSignal) => worlds.get("world", (own) => loadPart(() => fetchWorld(own)), signal);
  const dataset = async () => opened().dataset;
  return { local: localTiles(dataset, world), places: placeTiles(dataset), world: worldTiles(world) };
}

async function fetchWorld(signal: AbortSignal): Promise<World> {
  const response = await fetchWithin(new URL(world.path, base), { signal });
  if (!response.ok) throw new Error(`${world.path} answered ${response.status}, expected 200`);
  return (await response.json()) as World;
}

// A queue for each: without the world layer land looks like sea, and one local tile may read megabytes.
const makeTile: Record<TileAddress["map"], MakeTile> = {
  world: turns.tiles(drawOn("world")),
  local: turns.tiles(drawOn("local")),
  places: turns.tiles(drawOn("places")),
};

function drawOn(map: TileAddress["map"]): MakeTile {
  return async (address, signal) => {
    const makers = await tileMakers.get("makers", loadTileMakers, signal);
    return makers[map](address, signal);
  };
}

/** Returns a function that loads the pin. Most pages pin no key, and do not load its code. */
function pinLoader(folder: URL, key: string): () => Promise<Pin> {
  return () =>
    pins.get(key, async () => {
      const { openPin } = await loadPart(() => import("../pin/index.ts"));
      return openPin(folder, key);
    });
}

async function summaryOf(manifest: Manifest): Promise<DatasetSummary> {
  const { release, sha256, kept = [], attribution, collections } = manifest;
  void keepRelease(manifest).catch(() => {});
  return {
    release,
    sha256,
    kept: kept.map((older) => older.release),
    attribution,
    signature: await signatureOf(manifest),
    collections: Object.entries(collections).map(([name, collection]) => ({
      name: name as CollectionName,
      schema: collection.schema,
      filters: collection.schema && ownFiltersOf(collection.schema),
      rows: collection.rows,
      countries: collection.countries,
      bbox: collection.bbox,
      focus: focusOf(collection),
      namesBytes: bytesOfNames(collection),
    })),
  };
}

async function signatureOf(manifest: Manifest): Promise<DatasetSummary["signature"]> {
  const facts = await (await pin?.())?.factsOf(manifest);
  if (!facts) return undefined;
  const signer = facts.signer === "" ? facts.keyId : `${facts.signer} (${facts.keyId})`;
  return { signer, day: new Date(facts.signedAt * 1000).toISOString().slice(0, 10) };
}

async function keepRelease(manifest: Manifest): Promise<void> {
  const { kept, folder } = opened();
  releases ??= createReleaseKeeper(folder, kept);
  await releases.use(manifest);
  await turns.quiet();
  await releases.tidy(manifest);
  // finds slices that an earlier release stored in other packs
  await kept.slices.list();
}

function opened(): BrowserHost {
  if (!host) throw new Error("the dataset is not open: call open first");
  return host;
}

async function openedDataset() {
  const { dataset, kept, categoryWords } = opened();
  return { dataset, origins: kept.origins, categoryWords, held: () => heldCircles(kept.areas).catch(() => []) };
}

function pageFolder(): URL {
  if (!base) throw new Error("the dataset is not open: call open first");
  return base;
}

/** Reads the index that searches may need when the worker is idle. Ignores failures, because searches read it again. */
function prefetch(): void {
  if (isPrefetchDue) return;
  isPrefetchDue = true;
  turns
    .quiet()
    .then(async () => {
      isPrefetchDue = false;
      await opened().dataset.prefetchIndex({ near });
    })
    .catch(() => {});
}
