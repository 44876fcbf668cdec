/**
 * The worker of `<cairn-map>`: engine and base map. It is a part of the element's script, so it loads no file of the site.
 * @module
 */

import type { Geometry } from "../../../../data/format/geometry.ts";
import { isLanguage } from "../../../../data/format/languages.ts";
import { isKnown } from "../../../../data/format/own-collections.ts";
import { radiusOf } from "../../../../data/format/town-radius.ts";
import { type CategoryWords, createMemo, type Dataset, type Feature, type IntentWords } from "../../../engine/index.ts";
import { positionOf } from "../../../geocode/index.ts";
import {
  findRecord,
  ownFiltersOf,
  ParameterError,
  parseCounting,
  parseSearch,
  pathNamed,
  runCounts,
  runFacet,
  runSearch,
  searchPathsOf,
} from "../../../search/index.ts";
import { readTile } from "../../../tiles/index.ts";
import { localTiles, placeTiles, type World, worldTiles } from "../basemap/index.ts";
import { findMatchAt, findMatches } from "../matches/index.ts";
import {
  type MapAnswer,
  type MapCalls,
  type MapPart,
  type MapStatus,
  memoryBudgetBytes,
  type SearchArgument,
  serveRemote,
} from "../protocol/index.ts";
import { openBrowserDataset } from "./open-dataset.ts";
import { createTurns } from "./turns.ts";

/** Number of suggestions from which the meaning of a text is taken. */
const MEANINGS = 5;

let dataset: Dataset | undefined;
const turns = createTurns();
const parts = createMemo<string>();
const awaited = new Map<MapPart, (content: string | undefined) => void>();

const worlds = createMemo<World>();
const world = (signal: AbortSignal) =>
  worlds.get("world", async () => JSON.parse(await requestPart("world")) as World, signal);
const makeTile = {
  world: turns.tiles(worldTiles(world)),
  local: turns.tiles(localTiles(async () => opened(), world)),
  places: turns.tiles(placeTiles(async () => opened())),
};

const sendStatus = serveRemote<MapCalls, MapStatus>(self, {
  async open({ folder, key }) {
    dataset ??= openBrowserDataset({
      folder: new URL(folder),
      key,
      loadReader: () => requestPart("reader"),
      categoryWords: (language) => requestWords<CategoryWords>("words", language),
      intentWords: (language) => requestWords<IntentWords>("intents", language),
      cacheBytes: memoryBudgetBytes(navigator),
    });
    const { attribution, collections } = await dataset.manifest();
    return { attribution, hasStreets: (collections.segment?.rows ?? 0) > 0 };
  },
  search: (argument, signal) => turns.search(answer(argument, signal)),
  counts: (argument, signal) => turns.search(answerCounts(argument, signal)),
  matches: async ({ search, view }, signal) =>
    turns.search(findMatches(opened(), await parsed(search, signal), { view, signal })),
  matchAt: async ({ search, ...at }, signal) =>
    turns.search(findMatchAt(opened(), await parsed(search, signal), at, { signal })),
  async find({ path, id }, signal) {
    const paths = searchPathsOf(await opened().manifest(signal));
    return findRecord(opened(), pathNamed(paths, path), id, { signal });
  },
  async columns(path, signal) {
    const { collections } = await opened().manifest(signal);
    const schema = collections[path.slice(1)]?.schema;
    return schema ? { columns: schema.columns, filters: ownFiltersOf(schema) } : { columns: [], filters: [] };
  },
  async values({ path, parameters, area }, signal) {
    const search = await parsed({ path, parameters, area }, signal);
    return turns.search(runFacet(opened(), "column", search, { signal }));
  },
  async meant(query, signal) {
    const point = await positionOf(opened(), query, { signal });
    if (point) return { kind: "position", ...point };
    const found = await opened().suggest({ ...query, limit: MEANINGS, categories: true }, { signal });
    const meant = found.find(({ unused }) => unused.length === 0);
    return meant && { ...meant, radiusMeters: radiusOf(meant.bbox) };
  },
  tile: (address, signal) => makeTile[address.map](address, signal),
  async collectionTile({ collection, ...tile }, signal) {
    const { collections } = await opened().manifest(signal);
    const layers = collections[collection] ? [collection] : [];
    return (await readTile(opened(), { ...tile, layers }, { signal })).data.buffer;
  },
  async part({ name, content }) {
    awaited.get(name)?.(content);
    return undefined;
  },
});

async function parsed({ path, parameters, area }: SearchArgument, signal: AbortSignal) {
  return parseSearch(pathNamed(searchPathsOf(await opened().manifest(signal)), path), parameters, area);
}

/** Maximum number of areas to draw: more would take seconds. */
const MAX_AREAS = 25_000;

async function answerCounts({ path, parameters, area, by }: MapCalls["counts"]["argument"], signal: AbortSignal) {
  return orRefused(async () => {
    const group = { group: /^\d+$/.test(by) ? "cell" : "division", level: by, limit: String(MAX_AREAS) };
    const manifest = await opened().manifest(signal);
    const counting = parseCounting(manifest, { ...parameters, ...group, what: path.slice(1) }, area);
    const { total, groups, rows } = await runCounts(opened(), counting, { signal });
    if (groups > MAX_AREAS) {
      throw new ParameterError([
        `counts=${by} has ${groups} areas, at most ${MAX_AREAS} are drawn: choose larger ones`,
      ]);
    }
    const body = rows.flatMap(({ key, name = key, rows: count, outline }): Feature[] =>
      outline && count > 0
        ? [{ id: key, type: "Feature", geometry: outline as Geometry, properties: { name, count } }]
        : [],
    );
    return { total, body };
  });
}

/** Returns what was found, or the faults of the parameters. */
async function orRefused(find: () => Promise<Omit<Extract<MapAnswer, { kind: "found" }>, "kind">>): Promise<MapAnswer> {
  try {
    return { kind: "found", ...(await find()) };
  } catch (error) {
    if (error instanceof ParameterError) return { kind: "refused", faults: error.faults };
    throw error;
  }
}

async function answer({ path, parameters, area, tiles }: MapCalls["search"]["argument"], signal: AbortSignal) {
  return orRefused(async () => {
    const manifest = await opened().manifest(signal);
    const unknown = tiles.filter((name) => !isKnown(manifest, name));
    if (unknown.length > 0) {
      const known = Object.keys(manifest.collections).join(", ");
      throw new ParameterError([`tiles must be collections of the dataset, of ${known}, got ${unknown.join(", ")}`]);
    }
    const search = await parsed({ path, parameters, area }, signal);
    const { total, features } = await runSearch(opened(), search, { signal });
    return { total, body: [...features(search.shown.properties)] };
  });
}

/** Asks the element for a table of words; undefined for a language without a table. */
async function requestWords<T>(kind: "words" | "intents", language: string): Promise<T | undefined> {
  return isLanguage(language) ? (JSON.parse(await requestPart(`${kind}-${language}`)) as T) : undefined;
}

/** Asks the element for a part, and again after a failure. */
function requestPart(name: MapPart): Promise<string> {
  const load = () =>
    new Promise<string>((resolve, reject) => {
      awaited.set(name, (content) => {
        if (content === undefined) {
          const message = `the part "${name}" of <cairn-map> could not be loaded`;
          reject(Object.assign(new Error(message), { isUnanswered: true }));
        } else resolve(content);
      });
      sendStatus({ part: name });
    });
  return parts.get(name, load);
}

function opened(): Dataset {
  if (!dataset) throw new Error("the dataset is not open: call open first");
  return dataset;
}
