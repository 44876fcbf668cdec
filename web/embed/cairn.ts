/**
 * The typed search as methods for programs.
 * @module
 */
import { createApi } from "../api/index.ts";
import {
  type Dataset,
  DecodeError,
  type Feature as EngineFeature,
  FetchError,
  ManifestError,
  ReleaseError,
} from "../engine/index.ts";
import { AUTOCOMPLETE_PATH, parseReverse, parseText, runReverse, shownSuggestion } from "../geocode/index.ts";
import {
  findRecord,
  ParameterError,
  parseSearch,
  runSearch,
  SEARCH_PATHS,
  type SearchPath,
  type Shown,
  sentAs,
  shownFeature,
  TooLargeError,
} from "../search/index.ts";
import { RequestError } from "./request-error.ts";
import {
  type Abortable,
  type Cairn,
  type Feature,
  type Iterate,
  PATHS,
  type PathName,
  type Reversed,
  type SearchPage,
  type SearchParameters,
} from "./types.ts";

/** Never requested: requests need an origin, but are answered locally. */
const ORIGIN = "http://cairn.invalid";

export interface CairnOptions {
  readonly location: string;
  readonly dataset: Dataset;
  /** Receives each request of `fetch` before it is answered. */
  readonly prepare?: (request: Request) => void;
}

/** Wraps the dataset in the interface for embedding programs. */
export function createCairn({ location, dataset, prepare = () => {} }: CairnOptions): Cairn {
  const api = createApi({ dataset });

  async function search(path: PathName, parameters: SearchParameters, options: Abortable = {}): Promise<SearchPage> {
    return attempt(options, async () => {
      const { area, ...plain } = parameters;
      const search = parseSearch(pathOf(path), sentAs(plain), area);
      const { total, report, features } = await runSearch(dataset, search, options);
      const { page, limit, shown } = search;
      const shownFeatures = Array.from(features(shown.properties), (feature) => asShown(feature, shown));
      return { count: total, page, limit, features: shownFeatures, release: report.release };
    });
  }

  const iterate = (path: PathName): Iterate =>
    async function* (parameters, options = {}) {
      let first: string | undefined;
      for (let page = parameters.page ?? 0; ; page++) {
        const ofFirst = first === undefined ? {} : { release: first };
        const { count, limit, features, release } = await search(path, { ...parameters, ...ofFirst, page }, options);
        // pages of two releases would omit or repeat records
        first ??= release;
        yield* features;
        if ((page + 1) * limit >= count) return;
      }
    };

  return {
    location,
    search,
    find: (path, id, options = {}) =>
      attempt(options, async () => (await findRecord(dataset, pathOf(path), id, options)) as Feature | undefined),
    suggest: (parameters, options = {}) =>
      attempt(options, async () => {
        const { query } = parseText(AUTOCOMPLETE_PATH, sentAs({ ...parameters }));
        return (await dataset.suggest(query, options)).map(shownSuggestion);
      }),
    reverse: (parameters, options = {}) =>
      attempt(
        options,
        async () => (await runReverse(dataset, parseReverse(sentAs({ ...parameters })), options)) as Reversed,
      ),
    async describe({ signal } = {}) {
      const { release, attribution, collections } = await dataset.manifest(signal);
      const rows = Object.entries(collections).map(([name, collection]) => [name, collection.rows]);
      return { release, attribution, collections: Object.fromEntries(rows) };
    },
    fetch(address, init) {
      const request = new Request(new URL(address, ORIGIN), init);
      prepare(request);
      return api(request);
    },
    places: iterate("places"),
    placeBuildings: iterate("placeBuildings"),
    buildings: iterate("buildings"),
    addresses: iterate("addresses"),
    base: iterate("base"),
    transportation: iterate("transportation"),
    divisions: iterate("divisions"),
  };
}

/** Does the work; what it refuses or cannot do is told as the REST interface would. */
async function attempt<T>({ signal }: Abortable, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ParameterError) {
      throw new RequestError(error.message, error instanceof TooLargeError ? 413 : 400, { cause: error });
    }
    if (error instanceof ReleaseError) throw new RequestError(error.message, 409, { cause: error });
    const isOfFile = [FetchError, DecodeError, ManifestError].some((kind) => error instanceof kind);
    const message = error instanceof Error ? error.message : String(error);
    throw new RequestError(message, isOfFile ? 503 : 500, { cause: error });
  }
}

function pathOf(name: PathName): SearchPath {
  const path = SEARCH_PATHS.find((known) => known.path === PATHS[name]);
  if (!path) throw new RequestError(`no path ${name}, expected one of ${Object.keys(PATHS).join(", ")}`, 404);
  return path;
}

function asShown(feature: EngineFeature, shown: Shown): Feature {
  return shownFeature(feature, shown) as Feature;
}
