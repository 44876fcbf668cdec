/**
 * How MiniSearch indexes names; the page must load with the same.
 * @module
 */
import type { Options } from "minisearch";

export interface NameDocument {
  readonly id: string;
  readonly country: string;
  /** Of its names, folded, with a space between. */
  readonly terms: string;
}

export const MINISEARCH_OPTIONS: Options<NameDocument> = {
  fields: ["terms"],
  storeFields: ["country"],
  tokenize: (text) => text.split(" "),
  processTerm: (term) => term,
};
