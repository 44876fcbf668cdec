/**
 * The questions of a run: the chosen kinds, radii, pages and words, about places in the data.
 * @module
 */
import type { Facts, NameFacts } from "./peer-files.ts";
import type { ExportFormat, Kind, Question } from "./question.ts";

export const KINDS = ["circle", "filter", "country", "name", "export"] as const satisfies readonly Kind[];
export const RADII: Readonly<Record<string, number>> = { "300m": 300, "1km": 1000, "10km": 10_000, "50km": 50_000 };
export const CENTRES = ["dense", "sparse"] as const;
export const NAMES = ["exact", "prefix", "rare", "hot"] as const satisfies readonly (keyof NameFacts)[];
export const FORMATS = ["json", "geojson", "csv"] as const satisfies readonly ExportFormat[];

/** Maximum rows of an answer. */
const EXPORT_ROWS = 25_000;
const EXPORT_RADIUS_METERS = 50_000;
const FILTER_RADIUS_METERS = 10_000;
const LIMIT = 25;

export interface QuestionChoice {
  readonly kinds: readonly Kind[];
  readonly radii: readonly string[];
  readonly centres: readonly (typeof CENTRES)[number][];
  readonly limits: readonly number[];
  /** Pages of circles, from 0. */
  readonly pages: readonly number[];
  /** Pages of the country, from 0. */
  readonly countryPages: readonly number[];
  readonly names: readonly (typeof NAMES)[number][];
  readonly formats: readonly ExportFormat[];
}

/** All combinations of the choice. */
export function questionsOf(choice: QuestionChoice, facts: Facts): Question[] {
  return choice.kinds.flatMap((kind) => QUESTIONS[kind](choice, facts));
}

const QUESTIONS: Readonly<Record<Kind, (choice: QuestionChoice, facts: Facts) => Question[]>> = {
  circle: ({ radii, centres, limits, pages }, facts) =>
    centres.flatMap((centre) =>
      radii.flatMap((radius) =>
        limits.flatMap((limit) =>
          pages.map((page): Question => {
            const name = `${radius} ${centre}, limit ${limit}, page ${page}`;
            return { kind: "circle", name, ...facts[centre], radiusMeters: RADII[radius] ?? 0, limit, page };
          }),
        ),
      ),
    ),
  filter: ({ limits }, { dense, category }) =>
    limits.map((limit) => {
      const name = `10km dense, ${category}, limit ${limit}`;
      return { kind: "filter", name, ...dense, radiusMeters: FILTER_RADIUS_METERS, category, limit, page: 0 };
    }),
  country: ({ countryPages }, { country }) =>
    countryPages.map((page) => {
      return { kind: "country", name: `${country} by id, page ${page}`, country, limit: LIMIT, page };
    }),
  name: (choice, { country, names }) =>
    choice.names.map((name) => {
      const text = names[name];
      return { kind: "name", name: `${name}: "${text}" in ${country}`, country, text, limit: LIMIT, page: 0 };
    }),
  export: ({ formats }, { dense }) =>
    formats.map((format) => {
      const name = `50km dense, 25,000 as ${format}`;
      return {
        kind: "export",
        name,
        ...dense,
        radiusMeters: EXPORT_RADIUS_METERS,
        format,
        limit: EXPORT_ROWS,
        page: 0,
      };
    }),
};
