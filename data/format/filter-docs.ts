/**
 * Descriptions of filters for the OpenAPI document. Separate from `filters.ts`, because the page does not load them.
 * @module
 */
import type { FilterName } from "./filters.ts";

/** What each filter of the REST interface selects, as text for its documentation. */
export const FILTER_DOCS: Readonly<Record<FilterName, string>> = {
  name: "Every word must be the prefix of a word in the record's names, or in the number, street, unit, postcode or town of an address. The first 40 characters of a word count. Case and accents are ignored.",
  categories: "Category or alternate category; any of them.",
  taxonomy: "Category or any category below it; any of them.",
  brand_name: "Primary name of the brand; case is ignored.",
  brand_wikidata: "Wikidata item of the brand.",
  operating_status: "Operating status; any of them.",
  has_contact: "Kinds of contact; any of them.",
  min_confidence: "Minimum confidence.",
  source: "A dataset that one of the record's sources names.",
  subtype: "Subtype; any of them.",
  class: "Class; any of them.",
  min_height: "Minimum height, metres.",
  max_height: "Maximum height, metres.",
  max_floors: "Maximum number of floors above ground.",
  min_floors: "Minimum number of floors above ground.",
  surface: "Surface of some part of the road; any of them.",
  speed_limit: "Speed limit on some part of the road, a number with kmh or mph; any of them.",
  admin_level: "Administrative level; any of them.",
};
