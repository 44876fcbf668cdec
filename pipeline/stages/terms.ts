import { bboxUnion } from "../../data/format/bbox.ts";
import { ALL_COUNTRIES, type TermNode } from "../../data/format/manifest.ts";
import { WORLDWIDE } from "../../data/format/terms.ts";
import { writePacks } from "../packs/index.ts";
import type { TermsTask } from "../plan/index.ts";
import { type CountryTerms, mergeSections, type TermList, termSlices } from "../term-runs/index.ts";
import { readNumbering, sectionsOf } from "./numbered-rows.ts";
import { shareUnits, unitsOfCountries } from "./share-countries.ts";
import { readSurvey } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";

export interface TermsFacts {
  readonly partitions: readonly TermNode[];
}

/** Makes the term run of some countries; none depends on another's. */
export async function terms(
  { plan, folder }: TaskContext,
  { collection, survey, numbers, bucket, buckets, packBytes }: TermsTask,
): Promise<TermsFacts> {
  const { facts } = await readSurvey(plan, survey);
  if (facts.rows === 0) return { partitions: [] };
  const numbering = await readNumbering(plan, numbers);
  const termsOf = (country: string): CountryTerms => {
    const sections = sectionsOf(plan, numbering, country);
    const boxes = numbering.stretches.filter((stretch) => stretch.country === country).map(({ bbox }) => bbox);
    return { country, bbox: bboxUnion(boxes), openTerms: () => mergeSections(sections) };
  };
  const worldwide = (): CountryTerms => {
    const sections = sectionsOf(plan, numbering);
    const bbox = bboxUnion(numbering.stretches.map((stretch) => stretch.bbox));
    return { country: ALL_COUNTRIES, bbox, openTerms: () => namesOf(mergeSections(sections)) };
  };
  const units = unitsOfCountries(facts.countries, packBytes);
  const mine = shareUnits(units, facts.countries, buckets)[bucket] ?? [];
  const place = { folder, collection, kind: "term" } as const;
  const partitions: TermNode[] = [];
  const write = async (countries: readonly CountryTerms[]): Promise<void> => {
    const slices = (function* () {
      for (const country of countries) yield* termSlices(country);
    })();
    partitions.push(...(await writePacks(place, slices, packBytes)));
  };
  for (const unit of mine) await write(unit.map(termsOf));
  if (!WORLDWIDE.has(collection)) return { partitions };
  await write([worldwide()]);
  // in the order of countries, of which `XX` is not the last
  return { partitions: partitions.sort((a, b) => (a.country < b.country ? -1 : a.country > b.country ? 1 : 0)) };
}

function* namesOf(lists: Iterable<TermList>): Generator<TermList> {
  for (const list of lists) if (list.term.startsWith("name:")) yield list;
}
