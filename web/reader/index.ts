/**
 * Reads a Cairn dataset: rows around a point, of a country, by words, categories and ids, and their counts. Without a
 * server, and without the rest of Cairn.
 * @module
 */
import { requirePageSums } from "../../data/format/index-sums.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { createIndexCheck } from "../../data/format/walk-index.ts";
import { cellsOfCircle, cellsOfCountries } from "./cells.ts";
import { readManifest } from "./check.ts";
import { type Circle, circleAt, nearRows, searchCircle } from "./circle.ts";
import { CairnError, messageOf, named } from "./error.ts";
import { type Files, openFiles } from "./files.ts";
import { findRow } from "./find.ts";
import { httpFiles } from "./http.ts";
import type { Collection } from "./index-tree.ts";
import { countLists, searchLists } from "./lists.ts";
import { termsOf } from "./terms.ts";
import type { Conditions, Dataset, OpenOptions, PinnedKeys, ReadBytes, Signature } from "./types.ts";

export { CairnError } from "./error.ts";
export type {
  CellCount,
  CellQuestion,
  CollectionInfo,
  Conditions,
  Credit,
  Dataset,
  Found,
  Geometry,
  OpenOptions,
  PinnedKeys,
  Position,
  Question,
  ReadBytes,
  Row,
  Signature,
} from "./types.ts";

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const DEFAULT_RADIUS_METERS = 1000;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 25_000;
const MAX_CHARS = 6;
/** Maximum length of a text in a question. */
const MAX_TEXT_CHARS = 1000;

/**
 * Opens a dataset by the URL of its folder, or by a function that reads its files. Reads only the manifest. Rejects with
 * `CairnError` if there is no dataset, if it is damaged or of another format version, if `pinned` refuses it, or on a page
 * without `crypto.subtle` (no HTTPS).
 */
export async function open(source: string | URL | ReadBytes, options: OpenOptions = {}): Promise<Dataset> {
  const { fetch, cacheBytes = DEFAULT_CACHE_BYTES, pinned } = options;
  if (!globalThis.crypto?.subtle) throw new CairnError("this page has no crypto.subtle: open it over HTTPS");
  const read = typeof source === "function" ? source : httpFiles(String(source), fetch);
  const files = openFiles(read, cacheBytes);
  const { bytes, signature } = pinned ? await readSigned(files, pinned) : { bytes: await files.manifest() };
  const manifest = await named("manifest.json", () => readManifest(bytes));
  const roots = Object.values(manifest.collections).flatMap(({ runs }) =>
    Object.values(runs).flatMap((run) => run?.nodes ?? []),
  );
  const check = createIndexCheck(roots, requirePageSums);

  function collectionOf(name: string): Collection {
    const about = Object.hasOwn(manifest.collections, name) ? manifest.collections[name] : undefined;
    if (!about)
      throw new CairnError(`no collection ${name}, expected one of ${Object.keys(manifest.collections).join(", ")}`);
    return { name, manifest, about, files, check };
  }

  const dataset: Dataset = {
    release: manifest.release,
    attribution: manifest.attribution,
    ...(signature && { signature }),
    collections: Object.fromEntries(
      Object.entries(manifest.collections).map(([name, { rows, countries }]) => [name, { rows, countries }]),
    ),
    async search(name, { offset = 0, limit = DEFAULT_LIMIT, ...conditions } = {}) {
      const collection = collectionOf(name);
      requireWhole("offset", offset, 0, Number.MAX_SAFE_INTEGER - MAX_LIMIT);
      requireWhole("limit", limit, 0, MAX_LIMIT);
      const circle = circleOf(collection, conditions);
      if (circle) return searchCircle(collection, circle, { offset, limit });
      return searchLists(collection, listOf(collection, conditions), { offset, limit });
    },
    async count(name, conditions = {}) {
      const collection = collectionOf(name);
      const circle = circleOf(collection, conditions);
      if (circle) return (await nearRows(collection, circle, 0)).total;
      return countLists(collection, listOf(collection, conditions));
    },
    get: async (name, id) => findRow(collectionOf(name), id),
    async cells(name, { chars, ...conditions }) {
      const collection = collectionOf(name);
      requireWhole("chars", chars, 1, MAX_CHARS);
      const circle = circleOf(collection, conditions);
      if (circle) return cellsOfCircle(collection, circle, chars);
      const { countries, terms } = listOf(collection, conditions);
      if (terms.clauses.length > 0)
        throw new CairnError("cells of names, categories, brands or classes need lat and lng");
      return cellsOfCountries(collection, countries, chars);
    },
  };
  return dataset;
}

interface SignedManifest {
  readonly bytes: Uint8Array;
  readonly signature?: Signature;
}

/**
 * Reads the manifest and checks its signature. Tries once more if it is refused, because a release may have been published
 * meanwhile; then throws `CairnError` with the code `CAIRN_E_SIGNATURE`.
 */
async function readSigned(files: Files, pinned: PinnedKeys): Promise<SignedManifest> {
  for (let refused: string | undefined; ; ) {
    const bytes = await files.manifest();
    const path = `kept/${(await sha256Of(bytes)).slice(0, 16)}.sig`;
    const found = await files.whole(path).then(
      (file) => pinned.verify(bytes, file),
      (cause) => `no signature: ${messageOf(cause)}`,
    );
    if (typeof found !== "string") return { bytes, signature: found };
    // once more: a release may have been published meanwhile
    if (refused) throw new CairnError(`the dataset is refused: ${found}`, { code: "CAIRN_E_SIGNATURE" });
    refused = found;
  }
}

function requireWhole(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new CairnError(`${name} is ${value}, expected a whole number from ${least} to ${most}`);
}

function circleOf(collection: Collection, conditions: Conditions): Circle | undefined {
  const { lat, lng, radius = DEFAULT_RADIUS_METERS } = conditions;
  if (lat === undefined && lng === undefined) {
    if (conditions.radius !== undefined) throw new CairnError("radius needs lat and lng");
    return undefined;
  }
  if (lat === undefined || lng === undefined) throw new CairnError("lat and lng are only valid together");
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  if (!isPlace || !(radius >= 0 && radius < Number.POSITIVE_INFINITY))
    throw new CairnError(`lat ${lat}, lng ${lng}, radius ${radius}: expected -90 to 90, -180 to 180, 0 or more`);
  const { countries, terms } = listOf(collection, conditions);
  return circleAt(lat, lng, radius, countries, terms);
}

function listOf({ about, name }: Collection, conditions: Conditions) {
  const { country } = conditions;
  for (const [key, value] of Object.entries(conditions)) {
    for (const text of [value].flat()) {
      if (typeof text === "string" && text.length > MAX_TEXT_CHARS)
        throw new CairnError(`${key} has ${text.length} characters, expected at most ${MAX_TEXT_CHARS}`);
    }
  }
  const countries = country === undefined ? undefined : [...new Set([country].flat())];
  const unknown = countries?.find((code) => !Object.hasOwn(about.countries, code));
  if (unknown !== undefined || countries?.length === 0)
    throw new CairnError(
      `${name} has no country ${unknown ?? "[]"}, expected one of ${Object.keys(about.countries).join(", ")}`,
    );
  return { countries, terms: termsOf(conditions) };
}
