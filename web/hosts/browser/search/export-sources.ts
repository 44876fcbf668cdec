/** Which datasets the records of an export come from: counted while the records are written. @module */
import type { SourceCount, SourceCounts } from "../protocol/index.ts";

export function countSources(): {
  add(properties: Readonly<Record<string, unknown>>): void;
  counts(): SourceCounts;
} {
  const byKey = new Map<string, { dataset: string; license: string | undefined; records: number }>();
  let unnamed = 0;
  return {
    add({ sources }) {
      const named = new Map(sourcesOf(sources).map((source) => [JSON.stringify(source), source]));
      if (named.size === 0) unnamed += 1;
      for (const [key, source] of named) {
        const count = byKey.get(key) ?? { ...source, records: 0 };
        count.records += 1;
        byKey.set(key, count);
      }
    },
    counts: () => ({
      sources: [...byKey.values()].sort((a, b) => b.records - a.records || (a.dataset < b.dataset ? -1 : 1)),
      unnamed,
    }),
  };
}

function sourcesOf(value: unknown): Pick<SourceCount, "dataset" | "license">[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((source: unknown) => {
    const { dataset, license } = (source ?? {}) as { readonly dataset?: unknown; readonly license?: unknown };
    if (typeof dataset !== "string" || dataset === "") return [];
    return [{ dataset, license: typeof license === "string" && license !== "" ? license : undefined }];
  });
}
