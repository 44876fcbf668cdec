/**
 * Computes each answer by a loop over the rows of the release that the answer names.
 * @module
 */
import { queryTermsOf, termsOf } from "../../data/format/fold.ts";
import { METERS_PER_DEGREE } from "../../data/format/sphere.ts";
import type { Circle, Dataset, Feature, Query, SearchResult } from "../../web/engine/index.ts";
import { checkSearch } from "../../web/engine/testing/check-search.ts";
import { createOracle } from "../../web/engine/testing/oracle.ts";
import type { Random } from "../../web/engine/testing/random.ts";
import type { AreaChoice } from "../../web/hosts/browser/protocol/index.ts";
import { PAGE } from "./browser.ts";
import { type Release, type Row, TOWNS } from "./releases.ts";

/** A question, and the test of its answer. Throws a `Wrong` for a wrong answer, and the error of a failed one. */
export interface Question {
  readonly text: string;
  ask(interfaces: Interfaces): Promise<Answer>;
}

/** Where a tab answers: in its page, and in its service worker. */
export interface Interfaces {
  readonly dataset: Dataset;
  readonly rest: (request: Request) => Promise<Response>;
}

export interface Answer {
  readonly release: string;
  check(release: Release): Promise<void> | void;
}

/** An answer that is not the expected one. */
export class Wrong extends Error {
  override readonly name = "Wrong";
}

/** Where to ask. */
export interface Scope {
  readonly circle: Circle;
  readonly country: string;
  /** Whether to ask without a circle: for names, ids and the rows of a country. */
  readonly hasNames: boolean;
  readonly isWholeCountry: boolean;
}

const LIMITS = [1, 5, 20, 1000];
/** Suggestions read at most this number of rows. */
const SUGGESTED_ROWS = 24;

/** Returns a random scope: anywhere. */
export function anywhere(random: Random): Scope {
  const { lon, lat, country } = random.of(TOWNS);
  const circle = {
    lon: lon + random.spread(0.05),
    lat: lat + random.spread(0.05),
    radiusMeters: random.magnitude(100, 60_000),
  };
  return { circle, country, hasNames: true, isWholeCountry: true };
}

/** A random area to save, and the searches that it must answer. */
export function newArea(random: Random): { readonly choice: AreaChoice; readonly scope: Scope } {
  const { lon, lat, country } = random.of(TOWNS);
  const hasNames = random.below(2) === 0;
  const circle = { lon, lat, radiusMeters: random.between(1500, 9000) };
  const isWholeCountry = random.below(4) === 0;
  const shape = isWholeCountry ? ({ kind: "country", country } as const) : ({ kind: "circle", ...circle } as const);
  const radiusMeters = isWholeCountry ? 3000 : circle.radiusMeters;
  return {
    choice: { shape, collections: ["place"], hasNames, hasBaseMap: false },
    scope: { circle: { ...circle, radiusMeters }, country, hasNames, isWholeCountry: isWholeCountry || hasNames },
  };
}

/** A random circle inside the given one. */
export function within(random: Random, { lon, lat, radiusMeters }: Circle): Circle {
  const share = random.between(0.1, 1);
  const reach = ((1 - share) * radiusMeters * 0.6) / METERS_PER_DEGREE;
  const north = random.spread(reach);
  const east = random.spread(reach) / Math.cos((lat * Math.PI) / 180);
  return { lon: lon + east, lat: lat + north, radiusMeters: share * radiusMeters * 0.99 };
}

/** Returns a random question in the scope. */
export function questionIn(random: Random, scope: Scope, rows: readonly Row[]): Question {
  const { hasNames, isWholeCountry } = scope;
  const kinds = [
    "circle",
    "circle",
    "REST",
    ...(hasNames ? ["name", "id", "suggest"] : []),
    ...(isWholeCountry ? ["country"] : []),
    "count",
  ];
  const own = rows.filter(({ country }) => country === scope.country);
  const kind = random.of(kinds);
  if (kind === "id") return idQuestion(random.of(own).id);
  if (kind === "suggest") return suggestion(random.of(own), random, scope.country);
  const limit = random.of(LIMITS);
  const page = { collections: ["place"] as const, offset: random.of([0, 0, limit]), limit };
  if (kind === "name") {
    const word = random.of([...termsOf(random.of(own).name)]);
    const terms = [[`name:${word.slice(0, 2 + random.below(word.length))}`]];
    return searchQuestion({ ...page, country: scope.country, filters: { terms } });
  }
  if (kind === "country") return searchQuestion({ ...page, country: scope.country });
  if (kind === "REST") {
    const isCircle = !isWholeCountry || random.below(2) === 0;
    return restQuestion({ ...page, ...(isCircle ? { circle: scope.circle } : { country: scope.country }) });
  }
  if (kind === "count") return countQuestion({ ...page, circle: scope.circle });
  return searchQuestion({ ...page, circle: scope.circle });
}

function searchQuestion(query: Query): Question {
  return {
    text: `search ${spell(query)}`,
    async ask({ dataset }) {
      const result = await dataset.search(query);
      const features = [...result.features()];
      return {
        release: result.report.release,
        async check({ rows }) {
          const given = { ...dataset, search: async () => result };
          await wrongIfThrown(() => checkSearch(given, createOracle(matching(rows, query)), query));
          const known = new Map(rows.map((row) => [row.id, row]));
          for (const { id, properties } of features) expectName(known.get(id), properties.names);
        },
      };
    },
  };
}

/** An error of the REST interface, with its code. */
export class RestError extends Error {
  override readonly name = "RestError";
}

/** The same search by the REST interface. */
function restQuestion({ circle, country, limit, ...query }: Query): Question {
  const asked = { ...query, limit: Math.min(limit, 25), offset: 0, ...(country ? { country } : {}) };
  // in the precision of a URL
  const place = circle && {
    lon: Number(circle.lon.toFixed(6)),
    lat: Number(circle.lat.toFixed(6)),
    radiusMeters: Math.ceil(circle.radiusMeters),
  };
  const words = place ? `lat=${place.lat}&lng=${place.lon}&radius=${place.radiusMeters}` : `country=${String(country)}`;
  const path = `places?${words}&limit=${asked.limit}`;
  return {
    text: `GET ${path}`,
    async ask({ dataset, rest }) {
      const response = await rest(new Request(`${PAGE}${path}`));
      const body: unknown = await response.json();
      const code = response.headers.get("Cairn-Error");
      if (response.status !== 200) {
        if (!/^CAIRN_E_/.test(code ?? ""))
          throw new Wrong(`status ${response.status} without a code: ${JSON.stringify(body)}`);
        throw new RestError(`${code}: ${JSON.stringify(body)}`);
      }
      const features = (Array.isArray(body) ? body : Reflect.get(Object(body), "features")) as Feature[];
      return {
        release: decodeURIComponent(response.headers.get("Cairn-Release") ?? ""),
        async check({ rows }) {
          const wanted = { ...asked, ...(place ? { circle: place } : {}) };
          const total = Number(response.headers.get("Pagination-Count"));
          const result = { total, length: features.length, features: () => features.values() };
          const given = { ...dataset, search: async () => result as unknown as SearchResult };
          await wrongIfThrown(() => checkSearch(given, createOracle(rows), wanted));
          const known = new Map(rows.map((row) => [row.id, row]));
          for (const { id, properties } of features) expectName(known.get(id), properties.names);
        },
      };
    },
  };
}

function countQuestion(query: Query): Question {
  return {
    text: `count ${spell(query)}`,
    async ask({ dataset }) {
      const { collections, circle } = query;
      const { total, release } = await dataset.count({ collections, ...(circle ? { circle } : {}) });
      return {
        release,
        check({ rows }) {
          if (!circle) throw new Error("a count has a circle");
          const { least, most } = createOracle(rows).count(query, circle, circle.radiusMeters);
          if (total < least || total > most) throw new Wrong(`counted ${total}, expected ${least} to ${most}`);
        },
      };
    },
  };
}

function idQuestion(id: string): Question {
  return {
    text: `id ${id}`,
    ask: ({ dataset }) =>
      dataset.onRelease(async (pinned) => {
        const { release } = await pinned.manifest();
        const found = await pinned.find(["place"], id);
        return {
          release,
          check({ rows }) {
            const row = rows.find((each) => each.id === id);
            if (row?.id !== found?.id) throw new Wrong(`found ${found?.id}, expected ${row?.id}`);
            if (row) expectName(row, found?.properties.names);
          },
        };
      }),
  };
}

function suggestion(row: Row, random: Random, country: string): Question {
  const words = [...termsOf(row.name)].filter((word) => word.length > 2).slice(0, 1 + random.below(2));
  const text = words.map((word) => word.slice(0, 3 + random.below(word.length - 2))).join(" ");
  const limit = random.of([1, 5, 20]);
  return {
    text: `suggest ${JSON.stringify(text)} in ${country}, at most ${limit}`,
    ask: ({ dataset }) =>
      dataset.onRelease(async (pinned) => {
        const { release } = await pinned.manifest();
        const found = await pinned.suggest({ text, country, limit });
        return {
          release,
          check({ rows }) {
            const typed = queryTermsOf(text);
            const has = (name: string) => {
              const terms = [...termsOf(name)];
              return typed.every((word) => terms.some((term) => term.startsWith(word)));
            };
            const own = rows.filter((each) => each.country === country);
            for (const { id, name, lon, lat, match, unused } of found) {
              const known = own.find((each) => each.id === id);
              if (!known) throw new Wrong(`suggested ${id}, which the release has not in ${country}`);
              const [x, y] = known.geometry.coordinates;
              if (known.name !== name || Math.abs(x - lon) > 1e-6 || Math.abs(y - lat) > 1e-6)
                throw new Wrong(`suggested ${id} as ${name} at ${lon} ${lat}, expected ${known.name} at ${x} ${y}`);
              if (match !== "misspelt" && unused.length === 0 && !has(name))
                throw new Wrong(`suggested ${name}, which has not the words`);
            }
            const expected = own.filter((each) => has(each.name));
            const ids = new Set(found.map(({ id }) => id));
            const missing = expected.find(({ id }) => !ids.has(id));
            if (missing && expected.length <= Math.min(limit, SUGGESTED_ROWS))
              throw new Wrong(`did not suggest ${missing.id} ${missing.name}`);
          },
        };
      }),
  };
}

function matching(rows: readonly Row[], { filters }: Query): readonly Row[] {
  const terms = (filters?.terms ?? []).map((anyOf) => anyOf.map((term) => term.slice("name:".length)));
  return rows.filter(({ name }) => {
    const own = [...termsOf(name)];
    return terms.every((anyOf) => anyOf.some((prefix) => own.some((term) => term.startsWith(prefix))));
  });
}

function expectName(row: Row | undefined, names: unknown): void {
  const primary = typeof names === "object" && names ? Reflect.get(names, "primary") : undefined;
  if (!row || row.name !== primary) throw new Wrong(`a row has the name ${String(primary)}, expected ${row?.name}`);
}

async function wrongIfThrown(check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Wrong(error instanceof Error ? error.message : String(error));
  }
}

function spell({ circle, country, filters, offset, limit }: Query): string {
  const where = circle
    ? `within ${circle.radiusMeters.toFixed()} m of ${circle.lon.toFixed(4)} ${circle.lat.toFixed(4)}`
    : country;
  return `${where}${filters ? ` with ${filters.terms}` : ""}, ${limit} from ${offset}`;
}
