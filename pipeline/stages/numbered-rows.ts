/** What number tasks hand on: rows with their numbers in the order of the location run, and terms. @module */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StretchNode } from "../../data/format/manifest.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { quoteLiteral, quotePath } from "../database/index.ts";
import { type BuildPlan, numberTasks, readFacts, taskFolder } from "../plan/index.ts";
import type { PlacedSection, TermSection } from "../term-runs/index.ts";

export const NUMBERED_FILE = "by-location.parquet";
export const TERMS_FILE = "terms.bin";

/** What a stretch's node has before all buckets are known. */
export type LooseStretch = Omit<StretchNode, "start" | "stretch">;

/** Small, since other tasks read that of every bucket: the stretches stand in a file of their own. */
export interface NumberFacts {
  /** In order, with how many stretches the bucket has of each. */
  readonly countries: readonly (readonly [country: string, stretches: number])[];
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
  /** The first stretch of each country; the keys are in order. */
  readonly firstStretches: ReadonlyMap<string, number>;
  readonly buckets: readonly NumberedBucket[];
}

const STRETCHES_FILE = "stretches.json";

/** Writes what a number task made, and gives its facts. */
export async function writeStretches(
  folder: string,
  stretches: readonly LooseStretch[],
): Promise<NumberFacts["countries"]> {
  await writeFile(join(folder, STRETCHES_FILE), JSON.stringify(stretches));
  const countries = new Map<string, number>();
  for (const { country } of stretches) countries.set(country, (countries.get(country) ?? 0) + 1);
  return [...countries];
}

/** Stretches in their order, of one country where it is named; one bucket's at a time are held. */
export async function* readStretches(
  { work }: Pick<BuildPlan, "work">,
  { buckets }: Numbering,
  country?: string,
): AsyncGenerator<LooseStretch> {
  for (const { key, countries } of buckets) {
    if (!countries.some(([name]) => country === undefined || name === country)) continue;
    const text = await readFile(join(taskFolder(work, key), STRETCHES_FILE), "utf8");
    for (const stretch of JSON.parse(text) as LooseStretch[])
      if (country === undefined || stretch.country === country) yield stretch;
  }
}

export async function readNumbering(plan: Pick<BuildPlan, "work" | "stages">, survey: string): Promise<Numbering> {
  const firstStretches = new Map<string, number>();
  const buckets: NumberedBucket[] = [];
  let before = 0;
  for (const key of numberTasks(plan, survey)) {
    const facts = await readFacts<NumberFacts>(plan.work, key);
    buckets.push({ ...facts, key, before });
    for (const [country, stretches] of facts.countries) {
      if (!firstStretches.has(country)) firstStretches.set(country, before);
      before += stretches;
    }
  }
  return { firstStretches, buckets };
}

/** SQL of the rows as what follows FROM; `_number` is counted from 0. Quick to read by ranges of `_location`. */
export function numberedSql({ work }: Pick<BuildPlan, "work">, { buckets }: Pick<Numbering, "buckets">): string {
  const files = buckets
    .filter(({ countries }) => countries.length > 0)
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
