/** The typed search of the ES module: one method per kind of question. @module */
import { SignatureError } from "../../data/format/signature.ts";
import { type Api, createApi } from "../api/index.ts";
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
  type CountedRow,
  findRecord,
  ownPathsOf,
  ParameterError,
  parseCounting,
  parseSearch,
  runCounts,
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
  type Counts,
  type Feature,
  type Iterate,
  type OwnSearchParameters,
  PATHS,
  type PathName,
  type Reversed,
  type SearchPage,
  type SearchParameters,
} from "./types.ts";

/** Never requested: requests need an origin, but are answered locally. */
const ORIGIN = "http://cairn.invalid";

type AnyParameters = SearchParameters | OwnSearchParameters;

interface CairnOptions {
  readonly location: string;
  readonly dataset: Dataset;
  /** Receives each request of `fetch` before it is answered. */
  readonly prepare?: (request: Request) => void;
}

/**
 * Returns the methods that `open` gives to programs. They search `dataset`, and `fetch` answers REST requests over the same
 * dataset.
 */
export function createCairn({ location, dataset, prepare = () => {} }: CairnOptions): Cairn {
  // its routes take longer to make than a search of a small table
  let api: Api | undefined;

  /**
   * Returns the search path by the name of its method, or by the name of a collection made from a table. Throws `RequestError`
   * (404) for any other name.
   */
  async function pathNamed(name: string, { signal }: Abortable): Promise<SearchPath> {
    const own = ownPathsOf(await dataset.manifest(signal));
    const named = new Map<string, string>([
      ...Object.entries(PATHS),
      ...own.map(({ path }) => [path.slice(1), path] as const),
    ]);
    const path = [...SEARCH_PATHS, ...own].find((known) => known.path === named.get(name));
    if (path) return path;
    throw new RequestError(`no path ${JSON.stringify(name)}, expected one of ${[...named.keys()].join(", ")}`, 404);
  }

  async function search(name: string, parameters: AnyParameters, options: Abortable = {}): Promise<SearchPage> {
    return attempt(options, async () => {
      const { area, ...plain } = parameters;
      const search = parseSearch(await pathNamed(name, options), sentAs(plain), area);
      const { total, report, features } = await runSearch(dataset, search, options);
      const { page, limit, shown } = search;
      const shownFeatures = Array.from(features(shown.properties), (feature) => asShown(feature, shown));
      return { count: total, page, limit, features: shownFeatures, release: report.release };
    });
  }

  async function* records(
    name: string,
    parameters: AnyParameters,
    options: Abortable = {},
  ): ReturnType<Cairn["records"]> {
    let first: string | undefined;
    for (let page = parameters.page ?? 0; ; page++) {
      const ofFirst = first === undefined ? {} : { release: first };
      const { count, limit, features, release } = await search(name, { ...parameters, ...ofFirst, page }, options);
      // pages of two releases would omit or repeat records
      first ??= release;
      yield* features;
      if ((page + 1) * limit >= count) return;
    }
  }

  const iterate =
    (name: PathName): Iterate =>
    (parameters, options) =>
      records(name, parameters, options);

  return {
    location,
    search,
    records,
    counts: (name: string, { area, ...plain }: AnyParameters = {}, options: Abortable = {}) =>
      attempt(options, async () => {
        const { path } = await pathNamed(name, options);
        const parameters = { ...sentAs(plain), what: path.slice(1) };
        const counting = parseCounting(await dataset.manifest(options.signal), parameters, area);
        const { total, groups: groupCount, rows } = await runCounts(dataset, counting, options);
        return { total, groupCount, groups: rows.map(asGroup) };
      }),
    find: (path, id, options = {}) =>
      attempt(
        options,
        async () => (await findRecord(dataset, await pathNamed(path, options), id, options)) as Feature | undefined,
      ),
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
      api ??= createApi({ dataset });
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

/**
 * Does the work. Throws every error as `RequestError` with the status that REST has for it. After an abort, rejects with the
 * signal's reason.
 */
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
    if (error instanceof RequestError) throw error;
    const isOfFile = [FetchError, DecodeError, ManifestError, SignatureError].some((kind) => error instanceof kind);
    const message = error instanceof Error ? error.message : String(error);
    throw new RequestError(message, isOfFile ? 503 : 500, { cause: error });
  }
}

function asGroup({ key, name, rows: count, outline }: CountedRow): Counts["groups"][number] {
  return { key, ...(name !== undefined && { name }), count, ...(outline && { geometry: outline }) };
}

function asShown(feature: EngineFeature, shown: Shown): Feature {
  return shownFeature(feature, shown) as Feature;
}
