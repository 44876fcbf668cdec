import { Float64, Table, tableToIPC, Utf8 } from "apache-arrow";
import { type Dataset, type Json, type Members, nextTask } from "../../../engine/index.ts";
import { runSearch, type Search } from "../../../search/index.ts";
import { vectorOf } from "../own-files/index.ts";
import { FACETS, type Facet } from "../protocol/index.ts";

/** Rows are read for about this long before other calls get their turn. */
const SLICE_MS = 20;

const PLACES: Readonly<Record<Facet | "confidence", readonly [property: string, ...members: string[]]>> = {
  categories: ["categories", "primary"],
  brand_name: ["brand", "names", "primary"],
  operating_status: ["operating_status"],
  types: ["type"],
  subtype: ["subtype"],
  class: ["class"],
  confidence: ["confidence"],
};

const WANTED: ReadonlyMap<string, Members> = new Map(
  Object.values(PLACES).map(([property, ...members]): [string, Members] => [
    property,
    members.reduceRight<Members>((inside, member) => ({ [member]: inside }), true),
  ]),
);

/** The rows of the search, those of all its pages, as an Arrow stream. */
export async function statisticsTable(dataset: Dataset, search: Search, signal: AbortSignal): Promise<ArrayBuffer> {
  const query = { ...search.query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const found = await runSearch(dataset, { ...search, query }, { signal });
  const texts = FACETS.map((facet) => ({ facet, values: [] as (string | null)[] }));
  const confidence: (number | null)[] = [];
  let sliceStart = performance.now();
  for (const { properties } of found.features(WANTED)) {
    for (const { facet, values } of texts) {
      const value = valueAt(properties, PLACES[facet]);
      values.push(typeof value === "string" ? value : null);
    }
    const value = valueAt(properties, PLACES.confidence);
    confidence.push(typeof value === "number" ? value : null);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextTask();
    signal.throwIfAborted();
    sliceStart = performance.now();
  }
  const columns = texts.map(({ facet, values }) => [facet, vectorOf(values, new Utf8())] as const);
  const table = new Table({ ...Object.fromEntries(columns), confidence: vectorOf(confidence, new Float64()) });
  return tableToIPC(table, "stream").slice().buffer;
}

function valueAt(properties: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, name) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return (value as Readonly<Record<string, Json>>)[name];
  }, properties);
}
