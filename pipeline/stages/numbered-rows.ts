/** What number tasks hand on: rows with their numbers in the order of the location run, and terms. @module */
import { join } from "node:path";
import type { StretchNode } from "../../data/format/manifest.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { quoteLiteral, quotePath } from "../database/index.ts";
import { type BuildPlan, readFacts, taskFolder } from "../plan/index.ts";
import type { PlacedSection, TermSection } from "../term-runs/index.ts";

export const NUMBERED_FILE = "by-location.parquet";
export const TERMS_FILE = "terms.bin";

/** What a stretch's node has before all buckets are known. */
export type LooseStretch = Omit<StretchNode, "start" | "stretch">;

export interface NumberFacts {
  /** In order. */
  readonly stretches: readonly LooseStretch[];
  /** Of terms, by country. */
  readonly sections: readonly TermSection[];
}

interface NumberedBucket extends NumberFacts {
  readonly key: string;
  /** Stretches of the buckets before it. */
  readonly before: number;
}

/** What all number tasks of a collection made together. */
export interface Numbering {
  readonly stretches: readonly LooseStretch[];
  /** The first stretch of each country; the keys are in order. */
  readonly firstStretches: ReadonlyMap<string, number>;
  readonly buckets: readonly NumberedBucket[];
}

export async function readNumbering({ work }: Pick<BuildPlan, "work">, numbers: readonly string[]): Promise<Numbering> {
  const stretches: LooseStretch[] = [];
  const firstStretches = new Map<string, number>();
  const buckets: NumberedBucket[] = [];
  for (const key of numbers) {
    const facts = await readFacts<NumberFacts>(work, key);
    buckets.push({ ...facts, key, before: stretches.length });
    for (const stretch of facts.stretches) {
      if (!firstStretches.has(stretch.country)) firstStretches.set(stretch.country, stretches.length);
      stretches.push(stretch);
    }
  }
  return { stretches, firstStretches, buckets };
}

/** SQL of the rows as what follows FROM; `_number` is counted from 0. Quick to read by ranges of `_location`. */
export function numberedSql({ work }: Pick<BuildPlan, "work">, { buckets }: Pick<Numbering, "buckets">): string {
  const files = buckets
    .filter(({ stretches }) => stretches.length > 0)
    .map(({ key, before }) => ({ path: join(taskFolder(work, key), NUMBERED_FILE), first: firstNumberOf(before) }));
  const bases = files.map(({ path, first }) => `(${quoteLiteral(path)}, ${first}::BIGINT)`);
  return `(
    SELECT r.* EXCLUDE (filename) REPLACE (r._number + first AS _number)
    FROM read_parquet([${files.map(({ path }) => quotePath(path)).join(", ")}], filename = true) r
    JOIN (VALUES ${bases.join(", ")}) bases(filename, first) USING (filename))`;
}

/** Sections of a country's terms, whose numbers become those counted from the country's first; from 0 when none is named. */
export function sectionsOf(
  { work }: Pick<BuildPlan, "work">,
  { buckets, firstStretches }: Numbering,
  country?: string,
): PlacedSection[] {
  const from = country === undefined ? 0 : (firstStretches.get(country) ?? 0);
  return buckets.flatMap(({ key, before, sections }) =>
    sections
      .filter((section) => country === undefined || section.country === country)
      .map(({ start, end }) => ({
        path: join(taskFolder(work, key), TERMS_FILE),
        start,
        end,
        base: firstNumberOf(before) - firstNumberOf(from),
      })),
  );
}
