/**
 * Searches as calls, over the REST interface as a function: both give the same records in the same order.
 * @module
 */
import { type ApiOptions, createApi } from "../api/index.ts";
import type { Dataset } from "../engine/index.ts";
import { RequestError } from "./request-error.ts";
import {
  type Abortable,
  type Cairn,
  type Feature,
  type Iterate,
  PATHS,
  type PathName,
  type SearchParameters,
} from "./types.ts";

/** Never asked: requests need an origin, and this one is answered here. */
const ORIGIN = "http://cairn.invalid";

export interface CairnOptions {
  readonly location: string;
  readonly dataset: Dataset;
  /** Sees each request before it is answered. */
  readonly prepare?: (request: Request) => void;
}

/** The dataset behind the interface of embedding programs. */
export function createCairn({ location, dataset, prepare = () => {} }: CairnOptions): Cairn {
  const failures = new Map<string, unknown>();
  const onFailure: ApiOptions["onFailure"] = (error, reference) => failures.set(reference, error);
  const api = createApi({ dataset, onFailure });
  const answer = (request: Request): Promise<Response> => {
    prepare(request);
    return api(request);
  };

  async function ask(address: string, { signal }: Abortable): Promise<Response> {
    signal?.throwIfAborted();
    const response = await answer(new Request(ORIGIN + address, { signal: signal ?? null }));
    signal?.throwIfAborted();
    if (response.ok || response.status === 404) return response;
    const { message } = (await response.json()) as { message: readonly string[] };
    const text = message.join("; ");
    const reference = [...failures.keys()].find((known) => text.includes(known));
    const cause = reference === undefined ? undefined : failures.get(reference);
    failures.clear();
    throw new RequestError(cause instanceof Error ? `${text}: ${cause.message}` : text, response.status, { cause });
  }

  const search: Cairn["search"] = async (path, parameters, options = {}) => {
    const response = await ask(addressOf(path, parameters), options);
    const header = (name: string) => Number(response.headers.get(name));
    return {
      count: header("Pagination-Count"),
      page: header("Pagination-Page"),
      limit: header("Pagination-Limit"),
      features: (await response.json()) as Feature[],
    };
  };

  const iterate = (path: PathName): Iterate =>
    async function* (parameters, options = {}) {
      const { release } = await dataset.manifest(options.signal);
      for (let page = parameters.page ?? 0; ; page++) {
        const { count, limit, features } = await search(path, { ...parameters, page }, options);
        // Pages of two releases would leave records out, or give them twice.
        const now = (await dataset.manifest(options.signal)).release;
        if (now !== release) throw new Error(`release ${release} was replaced by ${now} between two pages: start anew`);
        yield* features;
        if ((page + 1) * limit >= count) return;
      }
    };

  return {
    location,
    search,
    async find(path, id, options = {}) {
      const response = await ask(`${PATHS[path]}/${encodeURIComponent(id)}`, options);
      return response.ok ? ((await response.json()) as Feature) : undefined;
    },
    async describe({ signal } = {}) {
      const { release, attribution, collections } = await dataset.manifest(signal);
      const rows = Object.entries(collections).map(([name, collection]) => [name, collection.rows]);
      return { release, attribution, collections: Object.fromEntries(rows) };
    },
    fetch: (address, init) => answer(new Request(new URL(address, ORIGIN), init)),
    places: iterate("places"),
    placeBuildings: iterate("placeBuildings"),
    buildings: iterate("buildings"),
    addresses: iterate("addresses"),
    base: iterate("base"),
    transportation: iterate("transportation"),
    divisions: iterate("divisions"),
  };
}

function addressOf(path: PathName, parameters: SearchParameters): string {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `${PATHS[path]}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}
