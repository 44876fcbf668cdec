import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { ALL_COUNTRIES, type TermNode } from "../../data/format/manifest.ts";
import { WORLDWIDE, wordOfEnd } from "../../data/format/terms.ts";
import { cutByHash, writePacks } from "../packs/index.ts";
import type { TermsTask } from "../plan/index.ts";
import { type CountryTerms, mergeSections, type TermList, termSlices } from "../term-runs/index.ts";
import { readNumbering, readStretches, sectionsOf } from "./numbered-rows.ts";
import type { TaskContext } from "./row-files.ts";
import { readSurvey } from "./survey.ts";

export interface TermsFacts {
  readonly partitions: readonly TermNode[];
}

/** Makes the term run of some countries; none depends on another's. */
export async function terms(
  { plan, folder }: TaskContext,
  { collection, survey, bucket, buckets, packBytes }: TermsTask,
): Promise<TermsFacts> {
  const { facts } = await readSurvey(plan, survey);
  if (facts.rows === 0) return { partitions: [] };
  const numbering = await readNumbering(plan, survey);
  const boxOf = async (country?: string): Promise<BBox> => {
    const boxes: BBox[] = [];
    for await (const { bbox } of readStretches(plan, numbering, country)) boxes.push(bbox);
    return bboxUnion(boxes);
  };
  const termsOf = async (country: string): Promise<CountryTerms> => {
    const sections = sectionsOf(plan, numbering, country);
    const openTerms = () => only(mergeSections(sections), ({ term }) => !isEnd(term));
    return { country, bbox: await boxOf(country), openTerms };
  };
  const worldwide = async (): Promise<CountryTerms> => {
    const sections = sectionsOf(plan, numbering);
    const openTerms = () => only(mergeSections(sections), ({ term }) => term.startsWith("name:") || isEnd(term));
    return { country: ALL_COUNTRIES, bbox: await boxOf(), openTerms };
  };
  const units = unitsOfCountries(facts.countries, packBytes);
  const mine = shareUnits(units, facts.countries, buckets)[bucket] ?? [];
  const place = { folder, collection, kind: "term" } as const;
  const partitions: TermNode[] = [];
  const write = async (countries: readonly CountryTerms[]): Promise<void> => {
    const slices = (function* () {
      for (const country of countries) yield* termSlices(country);
    })();
    for (const partition of await writePacks(place, slices, packBytes)) partitions.push(partition);
  };
  for (const unit of mine) {
    const countries: CountryTerms[] = [];
    for (const country of unit) countries.push(await termsOf(country));
    await write(countries);
  }
  if (!WORLDWIDE.has(collection)) return { partitions };
  await write([await worldwide()]);
  // in the order of countries, of which `XX` is not the last
  return { partitions: partitions.sort((a, b) => (a.country < b.country ? -1 : a.country > b.country ? 1 : 0)) };
}

const isEnd = (term: string): boolean => wordOfEnd(term) !== undefined;

function* only(lists: Iterable<TermList>, isWanted: (list: TermList) => boolean): Generator<TermList> {
  for (const list of lists) if (isWanted(list)) yield list;
}

type CountryRows = readonly [country: string, rows: number];

/** Bytes of terms for each row, about. */
const TERM_BYTES = 13;

/** Neighbouring countries whose terms share packs. */
function unitsOfCountries(countries: readonly CountryRows[], packBytes: number): string[][] {
  const weighed = countries.map(([key, rows]) => ({ key, weight: rows * TERM_BYTES }));
  return cutByHash(weighed, packBytes).map(({ start, end }) => countries.slice(start, end).map(([country]) => country));
}

/** Neighbouring units for each of `count` tasks, of about as many rows each. */
function shareUnits(
  units: readonly (readonly string[])[],
  countries: readonly CountryRows[],
  count: number,
): (readonly string[])[][] {
  const rowsOf = new Map(countries);
  const all = countries.reduce((sum, [, rows]) => sum + rows, 0);
  const shares: (readonly string[])[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const unit of units) {
    shares[Math.floor((before * count) / all)]?.push(unit);
    for (const country of unit) before += rowsOf.get(country) ?? 0;
  }
  return shares;
}
