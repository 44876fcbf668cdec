/**
 * Terms: values that find rows, in addition to location and id. The pipeline writes the number of a row into the
 * posting list of each of its terms. The engine searches for terms, and tests rows by the same terms.
 *
 * A term is `<facet>:<value>`. A value of `name` is found by its prefix, all other values completely.
 * @module
 */
import { cutTerm, termsOf } from "./fold.ts";

/** Facets (kinds) of terms. `FACET_COLUMNS` has the columns of each. */
export const FACETS = [
  "name",
  "category",
  "taxonomy",
  "brand",
  "wikidata",
  "status",
  "source",
  "contact",
  "subtype",
  "class",
  "level",
  "surface",
  "speed",
  "division",
  "column",
] as const;
/** Name of a property by which terms find rows, such as `name` or `category`. */
export type Facet = (typeof FACETS)[number];

/** Kinds of contact that a place may have, and the column of each. */
export const CONTACTS = { website: "websites", phone: "phones", email: "emails", social: "socials" } as const;
export type Contact = keyof typeof CONTACTS;

interface NamesColumn {
  readonly primary?: string | null;
  readonly common?: Readonly<Record<string, string | null>> | null;
  readonly rules?: readonly ({ readonly value?: string | null } | null)[] | null;
}

interface Speed {
  readonly value?: number | null;
  /** `km/h` or `mph`. */
  readonly unit?: string | null;
}

/** The columns of a row that terms are made from. Absent or null if the row has no value. */
export interface TermColumns {
  readonly names?: NamesColumn | null;
  readonly categories?: {
    readonly primary?: string | null;
    readonly alternate?: readonly (string | null)[] | null;
  } | null;
  readonly taxonomy?: {
    readonly primary?: string | null;
    readonly hierarchy?: readonly (string | null)[] | null;
  } | null;
  readonly brand?: { readonly wikidata?: string | null; readonly names?: NamesColumn | null } | null;
  readonly operating_status?: string | null;
  readonly sources?: readonly ({ readonly dataset?: string | null } | null)[] | null;
  readonly websites?: readonly (string | null)[] | null;
  readonly phones?: readonly (string | null)[] | null;
  readonly emails?: readonly (string | null)[] | null;
  readonly socials?: readonly (string | null)[] | null;
  readonly subtype?: string | null;
  readonly class?: string | null;
  readonly admin_level?: number | null;
  readonly division_id?: string | null;
  readonly road_surface?: readonly ({ readonly value?: string | null } | null)[] | null;
  readonly speed_limits?: readonly ({ readonly max_speed?: Speed | null } | null)[] | null;
  readonly number?: string | null;
  readonly street?: string | null;
  readonly unit?: string | null;
  readonly postcode?: string | null;
  readonly postal_city?: string | null;
  readonly address_levels?: readonly ({ readonly value?: string | null } | null)[] | null;
  /** Of a collection with its own schema: `<column>=<value>`. */
  readonly own_terms?: readonly string[] | null;
}

type Value = string | number | null | undefined;

function nonEmpty(values: Iterable<Value>): string[] {
  const texts: string[] = [];
  for (const value of values) if (value !== null && value !== undefined && value !== "") texts.push(String(value));
  return texts;
}

/**
 * Returns every non-empty name of a names column: the primary one, the common ones in all languages, and those of
 * rules.
 */
export function allNames(names: NamesColumn | null | undefined): string[] {
  if (!names) return [];
  return nonEmpty([
    names.primary,
    ...Object.values(names.common ?? {}),
    ...(names.rules ?? []).map((rule) => rule?.value),
  ]);
}

/** The texts that find an address, which has no name: all of its parts. */
function addressTexts({ number, street, unit, postcode, postal_city, address_levels }: TermColumns): string[] {
  const levels = (address_levels ?? []).map((level) => level?.value);
  return nonEmpty([number, street, unit, postcode, postal_city, ...levels]);
}

/**
 * Returns the values of the facet `name` of a row: the words of its names and of the parts of an address, in the form
 * that `termsOf` returns.
 */
export function nameTerms(row: TermColumns): Set<string> {
  const [first, ...others] = [...allNames(row.names), ...addressTexts(row)];
  const terms = first === undefined ? new Set<string>() : termsOf(first);
  for (const name of others) for (const term of termsOf(name)) terms.add(term);
  return terms;
}

/** Returns a brand's name in lower case, as it is stored in terms. */
export function foldBrand(name: string): string {
  return name.toLowerCase();
}

/** Returns a speed as the value of a term, such as `50kmh` or `25mph`. Undefined without a value or a unit. */
export function speedText({ value, unit }: Speed): string | undefined {
  return value && unit ? `${value}${unit.replace("/", "")}` : undefined;
}

const READERS: Readonly<Record<Facet, (row: TermColumns) => Iterable<Value>>> = {
  name: nameTerms,
  category: ({ categories }) => [categories?.primary, ...(categories?.alternate ?? [])],
  taxonomy: ({ taxonomy }) => [taxonomy?.primary, ...(taxonomy?.hierarchy ?? [])],
  brand: ({ brand }) => nonEmpty([brand?.names?.primary]).map(foldBrand),
  wikidata: ({ brand }) => [brand?.wikidata],
  status: (row) => [row.operating_status],
  source: ({ sources }) => (sources ?? []).map((source) => source?.dataset),
  contact: (row) => {
    const kinds = Object.entries(CONTACTS) as [Contact, (typeof CONTACTS)[Contact]][];
    return kinds.filter(([, column]) => nonEmpty(row[column] ?? []).length > 0).map(([kind]) => kind);
  },
  subtype: (row) => [row.subtype],
  class: (row) => [row.class],
  level: (row) => [row.admin_level],
  surface: ({ road_surface }) => (road_surface ?? []).map((part) => part?.value),
  speed: ({ speed_limits }) => (speed_limits ?? []).map((limit) => speedText(limit?.max_speed ?? {})),
  division: (row) => [row.division_id],
  column: (row) => row.own_terms ?? [],
};

/** The columns from which the values of each facet are made. */
export const FACET_COLUMNS: Readonly<Record<Facet, readonly (keyof TermColumns)[]>> = {
  name: ["names", "number", "street", "unit", "postcode", "postal_city", "address_levels"],
  category: ["categories"],
  taxonomy: ["taxonomy"],
  brand: ["brand"],
  wikidata: ["brand"],
  status: ["operating_status"],
  source: ["sources"],
  contact: Object.values(CONTACTS),
  subtype: ["subtype"],
  class: ["class"],
  level: ["admin_level"],
  surface: ["road_surface"],
  speed: ["speed_limits"],
  division: ["division_id"],
  column: ["own_terms"],
};

/** Collections whose name terms are stored again under `country=*`, for all countries together. */
export const WORLDWIDE: ReadonlySet<string> = new Set(["division", "division_area"]);

/** Collections whose words of names are also stored backwards (`endTerm`) under `country=*`, to find misspelt words. */
export const BY_ENDS: ReadonlySet<string> = new Set(["division"]);

/** A prefix that the names of more rows than this have in a country is stored as a term. */
export const PREFIX_ROWS = 16 * 1024;

/**
 * Returns the term of all rows with a name term that starts with this prefix. It is stored if a country has more than
 * `PREFIX_ROWS` such rows. If it is not stored, the first stored prefix term that starts with it has the same rows. If
 * there is none, the rows are few, or they all have the same name term.
 */
export function prefixTerm(prefix: string): string {
  return `prefix:${prefix}`;
}

/** Minimum number of letters of a word that is treated as misspelt if no row has it. */
export const MISSPELT_FROM = 4;

const END = "end:";
/** Words of letters. Scripts without spaces have each suffix of a run as a word, so they are left out. */
const LETTERS =
  /^(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}])+$/u;

/**
 * Returns the term of a word by its end: `end:` and the word's letters backwards. A wrong first letter changes little
 * in the order of these terms.
 */
export function endTerm(word: string): string {
  return END + Array.from(word).reverse().join("");
}

/**
 * Returns the word of an end term (a stored term with a word backwards, to find words by their ends). Undefined for
 * terms of another kind.
 */
export function wordOfEnd(term: string): string | undefined {
  return term.startsWith(END) ? Array.from(term.slice(END.length)).reverse().join("") : undefined;
}

/**
 * Returns the end terms of a row (its words backwards, to find words by their ends), given its stored terms. Words of
 * less than `MISSPELT_FROM` letters, words with digits, and words in scripts without spaces have none.
 */
export function endTermsOf(terms: readonly string[]): string[] {
  return terms.flatMap((term) => {
    const word = term.startsWith("name:") ? term.slice("name:".length) : "";
    return Array.from(word).length >= MISSPELT_FROM && LETTERS.test(word) ? [endTerm(word)] : [];
  });
}

/** Splits a term into facet and value. Throws if the facet is unknown. */
export function splitTerm(term: string): { facet: Facet; value: string } {
  const colon = term.indexOf(":");
  const facet = FACETS.find((name) => name === term.slice(0, colon));
  if (!facet) throw new Error(`term ${JSON.stringify(term)} has no facet, expected one of ${FACETS.join(", ")}`);
  return { facet, value: term.slice(colon + 1) };
}

/** Returns the values of one facet of a row, each once. Names are not cut to the stored length. */
export function facetValues(facet: Facet, row: TermColumns): Set<string> {
  return new Set(nonEmpty(READERS[facet](row)));
}

/**
 * Returns the terms under which the index has the row, `<facet>:<value>`, each once. Words of names are cut to
 * `MAX_TERM_CHARS`. A build calls this for every row.
 */
export function storedTerms(row: TermColumns): string[] {
  const terms = new Set<string>();
  for (const facet of FACETS) {
    for (const value of nonEmpty(READERS[facet](row)))
      terms.add(`${facet}:${facet === "name" ? cutTerm(value) : value}`);
  }
  return [...terms];
}

/**
 * Returns the terms of a row for these facets, `<facet>:<value>`. In contrast to `storedTerms`, words of names are not
 * cut to the stored length.
 */
export function termsOfRow(row: TermColumns, facets: ReadonlySet<Facet> = new Set(FACETS)): string[] {
  return [...facets].flatMap((facet) => Array.from(facetValues(facet, row), (value) => `${facet}:${value}`));
}
