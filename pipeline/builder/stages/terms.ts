import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { ALL_COUNTRIES, type TermNode } from "../../../data/format/manifest.ts";
import { wordOfEnd } from "../../../data/format/terms.ts";
import { cutByHash, writePacks } from "../packs/index.ts";
import type { TermsTask } from "../plan/index.ts";
import { type CountryTerms, mergeSections, type TermList, termSlices } from "../term-runs/index.ts";
import { readNumbering, readSegments, sectionsOf } from "./numbered-rows.ts";
import type { FileContext } from "./row-files.ts";
import { readSurvey } from "./survey.ts";

export interface TermsFacts {
  readonly partitions: readonly TermNode[];
}

/** Makes the slices of the run `term` for a group of countries, or those for all countries together. */
export async function terms(
  { plan, folder }: FileContext,
  { collection, survey, of, packBytes }: TermsTask,
): Promise<TermsFacts> {
  const { facts } = await readSurvey(plan, survey);
  const numbering = await readNumbering(plan, { survey, of });
  if (numbering.firstSegments.size === 0) return { partitions: [] };
  const boxOf = async (country?: string): Promise<BBox> => {
    const boxes: BBox[] = [];
    for await (const { bbox } of readSegments(plan, numbering, country)) boxes.push(bbox);
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
  const target = { folder, collection, kind: "term" } as const;
  const partitions: TermNode[] = [];
  const write = async (countries: readonly CountryTerms[]): Promise<void> => {
    const slices = (function* () {
      for (const country of countries) yield* termSlices(country);
    })();
    for (const partition of await writePacks(target, slices, packBytes)) partitions.push(partition);
  };
  if (!of) {
    await write([await worldwide()]);
    return { partitions };
  }
  const mine = facts.countries.filter(([country]) => numbering.firstSegments.has(country));
  for (const unit of unitsOfCountries(mine, packBytes)) {
    const countries: CountryTerms[] = [];
    for (const country of unit) countries.push(await termsOf(country));
    await write(countries);
  }
  return { partitions };
}

const isEnd = (term: string): boolean => wordOfEnd(term) !== undefined;

function* only(lists: Iterable<TermList>, isWanted: (list: TermList) => boolean): Generator<TermList> {
  for (const list of lists) if (isWanted(list)) yield list;
}

type CountryRows = readonly [country: string, rows: number];

/** Approximate bytes of terms per row. */
const TERM_BYTES = 13;

/** Groups consecutive countries whose terms share packs. */
function unitsOfCountries(countries: readonly CountryRows[], packBytes: number): string[][] {
  const weighed = countries.map(([key, rows]) => ({ key, weight: rows * TERM_BYTES }));
  return cutByHash(weighed, packBytes).map(({ start, end }) => countries.slice(start, end).map(([country]) => country));
}
