/**
 * Conditions of a query on the values that the run `count_cell` has.
 * @module
 */
import { type CellFacet, CONFIDENCE_STEPS, columnFacetName } from "../../../data/format/cell-levels.ts";
import { splitTerm } from "../../../data/format/terms.ts";
import type { Filters } from "../contract/query.ts";

/** A condition: a row matches if one of its values in the facets is wanted. */
export interface CellCondition {
  readonly facets: readonly CellFacet[];
  readonly isWanted: (value: string) => boolean;
  /** Whether no row has two wanted values, so that counts of values add up. */
  readonly isAdditive: boolean;
}

/** Returns the filters as conditions on facets, without the box. Undefined if `count_cell` lacks a value that they test. */
export function cellConditionsOf(facets: readonly CellFacet[], filters: Filters = {}): CellCondition[] | undefined {
  const { terms = [], atLeast = {}, atMost, columns, orUnknown, where } = filters;
  // the run counts neither rows without a value nor other conditions
  if ([atMost, columns, orUnknown, where].some((each) => each !== undefined)) return undefined;
  const conditions: (CellCondition | undefined)[] = [
    ...terms.map((clause) => conditionOfTerms(facets, clause)),
    ...Object.entries(atLeast).map(([column, least]) => conditionOfLeast(facets, column, least)),
  ];
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

function conditionOfTerms(facets: readonly CellFacet[], clause: readonly string[]): CellCondition | undefined {
  const values = new Set<string>();
  const names = new Set<string>();
  for (const term of clause) {
    const { facet, value } = splitTerm(term);
    if (facet === "column") names.add(columnFacetName(decodeURIComponent(value.slice(0, value.indexOf("=")))));
    else if (facet === "category") names.add("primary").add("alternate");
    else names.add(facet);
    values.add(value);
  }
  const own = facets.filter(({ name }) => names.has(name));
  if (own.length === 0 || own.length < names.size) return undefined;
  const isOfCategory = names.has("primary");
  if (own.length > 1 && !isOfCategory) return undefined;
  const isAdditive = values.size === 1 || own.every(({ isSingle }) => isSingle);
  return { facets: own, isWanted: (value) => values.has(value), isAdditive };
}

function conditionOfLeast(facets: readonly CellFacet[], column: string, least: number): CellCondition | undefined {
  const own = facets.filter(({ name }) => name === column);
  const step = Math.round(least * CONFIDENCE_STEPS);
  if (own.length !== 1 || step / CONFIDENCE_STEPS !== least || least < 0) return undefined;
  return { facets: own, isWanted: (value) => Number(value) >= step, isAdditive: true };
}
