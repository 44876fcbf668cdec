/**
 * MiniSearch's options, which the page needs to load the index.
 * @module
 */
import type { Options } from "minisearch";

export interface NameDocument {
  readonly id: string;
  readonly country: string;
  /** Folded terms of its names, separated by spaces. */
  readonly terms: string;
}

export const MINISEARCH_OPTIONS: Options<NameDocument> = {
  fields: ["terms"],
  storeFields: ["country"],
  tokenize: (text) => text.split(" "),
  processTerm: (term) => term,
};
