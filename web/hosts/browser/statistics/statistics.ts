/** Statistics over all rows of a search: a table of the rows, and counts over it by DuckDB. @module */
import { Field, Float64, List, Table, tableToIPC, Utf8 } from "apache-arrow";
import { filterNamed } from "../../../../data/format/filters.ts";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import { facetValues, foldBrand, type TermColumns, type Facet as TermFacet } from "../../../../data/format/terms.ts";
import { type Dataset, type Members, nextTask } from "../../../engine/index.ts";
import { runSearch, type Search } from "../../../search/index.ts";
import { vectorOf } from "../own-files/index.ts";
import {
  CONFIDENCE_STEPS,
  FACETS,
  type Facet,
  type FacetCounts,
  MOST_LISTED_VALUES,
  type Statistics,
} from "../protocol/index.ts";

/** Time in milliseconds for which rows are read before other calls get a turn. */
const SLICE_MS = 20;

const WANTED: ReadonlyMap<string, Members> = new Map<string, Members>([
  ["categories", { primary: true, alternate: true }],
  ["brand", { names: { primary: true } }],
  ["operating_status", true],
  ["type", true],
  ["subtype", true],
  ["class", true],
  ["confidence", true],
]);

/** Returns all rows of the search as an Arrow stream: a list column per facet, and `confidence`. */
export async function statisticsTable(dataset: Dataset, search: Search, signal: AbortSignal): Promise<ArrayBuffer> {
  const query = { ...search.query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const found = await runSearch(dataset, { ...search, query }, { signal });
  const facets = FACETS.map((facet) => ({ read: readerOf(facet, search), lists: [] as string[][] }));
  const confidence: (number | null)[] = [];
  let sliceStart = performance.now();
  for (const { properties } of found.features(WANTED)) {
    for (const { read, lists } of facets) lists.push(read(properties));
    confidence.push(typeof properties.confidence === "number" ? properties.confidence : null);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextTask();
    signal.throwIfAborted();
    sliceStart = performance.now();
  }
  const texts = new List(new Field("item", new Utf8(), true));
  const columns = facets.map(({ lists }, at) => [FACETS[at] ?? "", vectorOf(lists, texts)] as const);
  const table = new Table({ ...Object.fromEntries(columns), confidence: vectorOf(confidence, new Float64()) });
  return tableToIPC(table, "stream").slice().buffer;
}

type Reader = (properties: TermColumns & { readonly type?: string }) => string[];

function readerOf(facet: Facet, { query }: Search): Reader {
  if (facet === "types") return ({ type }) => (type === undefined ? [] : [type]);
  const term = termFacetOf(facet);
  const chosen = query.filters?.terms?.find((anyOf) => anyOf.every((each) => each.startsWith(`${term}:`)));
  const isShown = (value: string): boolean => chosen === undefined || chosen.includes(`${term}:${value}`);
  if (facet !== "brand_name") return (row) => [...facetValues(term, row)].filter(isShown);
  // its filter ignores case
  const spellings = new Map<string, string>();
  return ({ brand }) => {
    const name = brand?.names?.primary ?? "";
    const folded = foldBrand(name);
    if (name === "" || !isShown(folded)) return [];
    const spelling = spellings.get(folded) ?? name;
    spellings.set(folded, spelling);
    return [spelling];
  };
}

function termFacetOf(name: Exclude<Facet, "types">): TermFacet {
  const filter = filterNamed(name);
  if ("column" in filter) throw new Error(`${name} filters by a bound, expected a filter of terms`);
  return filter.facet;
}

/** Counts the rows of a table made by `statisticsTable` by each facet. Leaves out facets without values. */
export function countTable(query: (sql: string) => Table, table: string): Statistics {
  const rowsOf = (sql: string) => [...query(sql)].map((row) => row.toJSON());
  const from = quoteIdentifier(table);
  const facets = FACETS.map((facet): FacetCounts => {
    const counted = rowsOf(
      `SELECT value, count(*) AS n, count(*) OVER () AS different
       FROM (SELECT unnest(${quoteIdentifier(facet)}) AS value FROM ${from}) GROUP BY 1 ORDER BY n DESC, value LIMIT ${MOST_LISTED_VALUES}`,
    );
    return {
      facet,
      values: Number(counted[0]?.different ?? 0),
      listed: counted.map(({ value, n }) => ({ value: String(value), rows: Number(n) })),
    };
  });
  const atLeast = Array.from(
    { length: CONFIDENCE_STEPS },
    (_, step) => `count_if(confidence >= ${step / CONFIDENCE_STEPS}::DOUBLE) AS s${step}`,
  );
  const [counts = {}] = rowsOf(`SELECT count(*) AS n, ${atLeast.join(", ")} FROM ${from}`);
  const confidence = Array.from({ length: CONFIDENCE_STEPS }, (_, step) => Number(counts[`s${step}`]));
  return {
    rows: Number(counts.n),
    facets: facets.filter(({ values }) => values > 0),
    ...(confidence[0] ? { confidence } : {}),
  };
}
