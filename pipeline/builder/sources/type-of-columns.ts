import { COLLECTIONS, OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { isImplied } from "./schema.ts";

/** Columns that all of Overture's types have, and other tables rarely together. */
const MARKS = ["version", "sources"];

/** Columns that types share and releases add to any type. */
const isShared = (name: string): boolean => MARKS.includes(name) || isImplied(name);

/**
 * Returns the types whose columns fit best: none for tables that are not Overture's, several if the columns cannot
 * decide.
 */
export function typesOfColumns(columns: readonly string[]): OvertureType[] {
  const names = new Set(columns.map((name) => name.split(".", 1)[0] ?? ""));
  if (!MARKS.every((name) => names.has(name))) return [];
  const fits = OVERTURE_TYPES.map((type) => {
    const own = COLLECTIONS[type].columns.map(({ name }) => name).filter((name) => !isShared(name));
    const found = own.filter((name) => names.has(name)).length;
    return { type, found, isWhole: found === own.length };
  });
  const most = Math.max(...fits.map(({ found }) => found));
  const best = fits.filter(({ found }) => found === most);
  const whole = best.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : best).map(({ type }) => type);
}
