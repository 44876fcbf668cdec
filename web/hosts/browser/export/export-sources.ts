/**
 * Which datasets the records of an export come from: counted while the records are written.
 * @module
 */
import type { Dataset } from "../../../engine/index.ts";
import type { Feature } from "../../../engine/query.ts";

/** Records that name a dataset, under one licence, among their sources. */
export interface SourceCount {
  /** As rows name it in `sources[].dataset`. */
  readonly dataset: string;
  /** As rows give it; undefined where they give none. */
  readonly license: string | undefined;
  readonly records: number;
}

export interface SourceCounter {
  add(feature: Feature): void;
  /** Records seen. */
  readonly records: number;
  /** Records that name no dataset. */
  readonly unnamed: number;
  /** Most records first, then by name. */
  counts(): SourceCount[];
}

/** The one property that counts. */
const COUNTED: ReadonlySet<string> = new Set(["sources"]);

export function createSourceCounter(): SourceCounter {
  const byKey = new Map<string, { dataset: string; license: string | undefined; records: number }>();
  let records = 0;
  let unnamed = 0;
  return {
    get records() {
      return records;
    },
    get unnamed() {
      return unnamed;
    },
    add({ properties }) {
      records += 1;
      const named = new Map(sourcesOf(properties.sources).map((source) => [JSON.stringify(source), source]));
      if (named.size === 0) unnamed += 1;
      for (const [key, { dataset, license }] of named) {
        const count = byKey.get(key) ?? { dataset, license, records: 0 };
        count.records += 1;
        byKey.set(key, count);
      }
    },
    counts: () =>
      [...byKey.values()]
        .sort((a, b) => b.records - a.records || (a.dataset < b.dataset ? -1 : 1))
        .map((c) => ({ ...c })),
  };
}

/** The dataset, each feature of its answers shown to the counter when it is made. */
export function withSourceCounter(dataset: Dataset, counter: SourceCounter): Dataset {
  return {
    ...dataset,
    async search(query, options) {
      const result = await dataset.search(query, options);
      return {
        ...result,
        *features(properties) {
          for (const feature of result.features(properties)) {
            counter.add(feature);
            yield feature;
          }
        },
        *json(options) {
          const records = result.json(options);
          for (const feature of result.features(COUNTED)) {
            counter.add(feature);
            const { value, done } = records.next();
            if (!done) yield value;
          }
        },
      };
    },
  };
}

function sourcesOf(value: Feature["properties"][string] | undefined): Pick<SourceCount, "dataset" | "license">[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((source: unknown) => {
    const { dataset, license } = (source ?? {}) as { readonly dataset?: unknown; readonly license?: unknown };
    if (typeof dataset !== "string" || dataset === "") return [];
    return [{ dataset, license: typeof license === "string" && license !== "" ? license : undefined }];
  });
}
