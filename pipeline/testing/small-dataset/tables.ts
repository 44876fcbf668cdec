/** Tables of the small dataset. @module */
import { createHash } from "node:crypto";
import type { BBox } from "../../../data/format/bbox.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { spellKey, spellRank } from "../../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName } from "../../../data/format/manifest.ts";
import { MOST_POPULOUS, nameTerms, populousTerm, SHOWN_LANGUAGES } from "../../../data/format/suggestions.ts";
import type { Table, TableValue } from "../../../data/format/tables.ts";
import type { TermColumns } from "../../../data/format/terms.ts";
import type { SmallRow } from "./features.ts";
import { boxOf, middleOf } from "./location.ts";

export interface MadeTable {
  readonly country: string;
  readonly table: Table;
  readonly rows: number;
  readonly first_term: string;
  readonly last_term: string;
  readonly start: number;
}

type Line = Readonly<Record<string, TableValue>>;

/** Cuts rows of columns into slices of this size; `termOf` returns the key of a row by index. */
function cut(
  country: string,
  lines: readonly Line[],
  { most, termOf }: { readonly most: number; readonly termOf: (line: Line, place: number) => string },
): MadeTable[] {
  return Array.from({ length: Math.ceil(lines.length / most) }, (_, i) => {
    const [start, end] = [i * most, Math.min(lines.length, (i + 1) * most)];
    const own = lines.slice(start, end);
    const names = Object.keys(own[0] ?? {});
    const term = (place: number): string => termOf(lines[place] ?? {}, place);
    let before = start;
    while (before > 0 && term(before - 1) === term(start)) before--;
    return {
      country,
      table: Object.fromEntries(names.map((name) => [name, own.map((line) => line[name] ?? null)])),
      rows: own.length,
      first_term: term(start),
      last_term: term(end - 1),
      start: start - before,
    };
  });
}

/** Small, so that there are several slices. */
const FIND_ROWS = 20;

/** Makes the find tables. */
export function findTables(rows: readonly SmallRow[], addressOf: (row: SmallRow) => number): MadeTable[] {
  const keys = rows
    .map((row) => ({ key: createHash("sha256").update(row.id).digest().readUInt32BE(0), address: addressOf(row) }))
    .sort((a, b) => a.key - b.key || a.address - b.address);
  const lines = keys.map(({ key, address }, i) => ({
    gap: i % FIND_ROWS === 0 ? key : key - (keys[i - 1]?.key ?? 0),
    address,
  }));
  return cut(ALL_COUNTRIES, lines, { most: FIND_ROWS, termOf: (_, place) => spellKey(keys[place]?.key ?? 0) });
}

interface Brand {
  readonly wikidata?: string | null;
  readonly names?: { readonly primary?: string } | null;
}

const brandOf = ({ columns }: SmallRow): Brand | undefined => (columns.brand as Brand | undefined) ?? undefined;
const brandKey = (brand: Brand): string => `${brand.names?.primary ?? ""}\0${brand.wikidata ?? ""}`;

const VALUES: Readonly<Record<CountRunName, (row: SmallRow) => { key: string; value: TableValue } | undefined>> = {
  count_brand: (row) => {
    const brand = brandOf(row);
    return brand && { key: brandKey(brand), value: brand as TableValue };
  },
  count_category: ({ columns }) => {
    const primary = (columns as TermColumns).categories?.primary;
    return primary ? { key: primary, value: primary } : undefined;
  },
  count_country: ({ country }) => ({ key: country, value: country }),
};

const COUNT_ROWS = 2;

/** Makes the count tables. */
export function countTables(run: CountRunName, rows: readonly SmallRow[]): MadeTable[] {
  const countries = run === "count_country" ? [] : [...new Set(rows.map(({ country }) => country))].sort();
  return [...countries, ALL_COUNTRIES].sort().flatMap((country) => {
    const groups = new Map<string, { value: TableValue; rows: number; brands: Set<string> }>();
    const own = country === ALL_COUNTRIES ? rows : rows.filter((row) => row.country === country);
    for (const row of own.toSorted((a, b) => compareIds(a.id, b.id))) {
      const made = VALUES[run](row);
      if (!made) continue;
      const group = groups.get(made.key) ?? { value: made.value, rows: 0, brands: new Set() };
      group.rows++;
      const brand = brandOf(row);
      if (brand) group.brands.add(brandKey(brand));
      groups.set(made.key, group);
    }
    const lines = [...groups]
      .sort(([a, one], [b, other]) => other.rows - one.rows || compareIds(a, b))
      .map(([, { value, rows: count, brands }]) => ({ value, rows: count, brands: brands.size }));
    return cut(country, lines, { most: COUNT_ROWS, termOf: (_, place) => spellRank(place) });
  });
}

interface Step {
  readonly subtype: string;
  readonly name: string;
  readonly division_id: string;
}

const SUGGEST_ROWS = 64;

/** Makes the suggest tables. */
export function suggestTables(divisions: readonly SmallRow[], areas: readonly SmallRow[]): MadeTable[] {
  const made = divisions.map((row) => ({
    row,
    terms: nameTerms((row.columns as TermColumns).names ?? {}),
    line: lineOf(row, divisions, areas),
  }));
  const lines = made.flatMap(({ line, terms }) =>
    terms.map(({ term, found }): Line => ({ term: `name:${term}`, ...line, found: [...found] })),
  );
  const prefixes = new Set(
    made.flatMap(({ terms }) =>
      terms.flatMap(({ term }) =>
        Array.from(term, (_, i) =>
          Array.from(term)
            .slice(0, i + 1)
            .join(""),
        ),
      ),
    ),
  );
  for (const prefix of prefixes) {
    const having = made.flatMap(({ line, terms }) => {
      const own = terms.filter(({ term }) => term.startsWith(prefix));
      return own.length > 0 ? [{ line, isShown: own.some(({ isShown }) => isShown) }] : [];
    });
    if (having.length <= MOST_POPULOUS) continue;
    having.sort(
      (a, b) =>
        Number(b.isShown) - Number(a.isShown) ||
        Number(b.line.population) - Number(a.line.population) ||
        compareIds(String(a.line.id), String(b.line.id)),
    );
    for (const { line } of having.slice(0, MOST_POPULOUS))
      lines.push({ term: populousTerm(prefix), ...line, found: [] });
  }
  lines.sort((a, b) => compareIds(String(a.term), String(b.term)) || compareIds(String(a.id), String(b.id)));
  return cut(ALL_COUNTRIES, lines, { most: SUGGEST_ROWS, termOf: ({ term }) => String(term) });
}

function lineOf(row: SmallRow, divisions: readonly SmallRow[], areas: readonly SmallRow[]): Line {
  const { id, country, columns } = row;
  const { names } = columns as { names: { primary: string; common: Record<string, string> } };
  const steps = (columns.hierarchies as Step[][])[0] ?? [];
  const detail = steps.filter((step) => step.division_id !== id && ["region", "locality"].includes(step.subtype));
  const localities = divisions.filter((other) => other.country === country && other.columns.subtype === "locality");
  const inAll = localities.reduce((sum, other) => sum + Number(other.columns.population), 0);
  const shown = new Set<string>(SHOWN_LANGUAGES);
  const own = areas
    .filter((area) => area.columns.division_id === id)
    .sort((a, b) => Number(b.columns.is_land) - Number(a.columns.is_land))[0];
  const box: BBox = boxOf(own ?? row);
  return {
    id,
    country,
    names: {
      primary: names.primary,
      common: Object.fromEntries(Object.entries(names.common).filter(([key]) => shown.has(key))),
    },
    detail: detail
      .map(({ name }) => name)
      .reverse()
      .join(", "),
    subtype: String(columns.subtype),
    population: Number(columns.population ?? inAll),
    found: [],
    point: [...middleOf(row)],
    bbox: [...box],
  };
}
