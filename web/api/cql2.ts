/**
 * Filters in CQL2, as text or as JSON.
 * @see https://docs.ogc.org/is/21-065r2/21-065r2.html
 * @module
 */
import { ParameterError } from "../search/index.ts";
import { type Cql2, CqlError } from "./cql2-expression.ts";
import { parseCql2Json } from "./cql2-json.ts";
import { parseCql2Text } from "./cql2-text.ts";

export type FilterLanguage = "cql2-text" | "cql2-json";

/** Parses the filter. Throws `ParameterError` with what was expected and received. */
export function parseCql2(text: string, language: FilterLanguage): Cql2 {
  try {
    return language === "cql2-text" ? parseCql2Text(text) : parseCql2Json(text);
  } catch (error) {
    if (!(error instanceof CqlError)) throw error;
    throw new ParameterError([`filter must be CQL2; ${error.message}`]);
  }
}
