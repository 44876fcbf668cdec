/**
 * From the values of a request to a query of the engine.
 * @module
 */
import { queryTermsOf } from "../../data/format/fold.ts";
import { type Facet, foldBrand } from "../../data/format/terms.ts";
import type { Filters, Query } from "../engine/query.ts";
import { DEFAULT_LIMIT, DEFAULT_RADIUS_METERS, type SearchValues } from "./parameters.ts";
import type { SearchPath } from "./paths.ts";

export interface SearchRequest {
  readonly page: number;
  readonly limit: number;
  readonly query: Query;
}

/** The search that these values ask of the path. */
export function searchOf(path: Pick<SearchPath, "collections">, values: SearchValues): SearchRequest {
  const { lat, lng, radius = DEFAULT_RADIUS_METERS, country, page = 0, limit = DEFAULT_LIMIT } = values;
  const filters = filtersOf(values);
  return {
    page,
    limit,
    query: {
      collections: values.types ?? path.collections,
      ...(lat === undefined || lng === undefined ? {} : { circle: { lat, lon: lng, radiusMeters: radius } }),
      ...(country === undefined ? {} : { country }),
      ...(Object.keys(filters).length === 0 ? {} : { filters }),
      offset: page * limit,
      limit,
    },
  };
}

function filtersOf(values: SearchValues): Filters {
  const anyOf = (facet: Facet, list: readonly (string | number)[] | undefined) =>
    list ? [list.map((value) => `${facet}:${value}`)] : [];
  const terms = [
    ...(values.name === undefined ? [] : queryTermsOf(values.name).map((word) => [`name:${word}`])),
    ...anyOf("category", values.categories),
    ...anyOf("taxonomy", values.taxonomy),
    ...anyOf("brand", values.brand_name === undefined ? undefined : [foldBrand(values.brand_name)]),
    ...anyOf("wikidata", values.brand_wikidata === undefined ? undefined : [values.brand_wikidata]),
    ...anyOf("status", values.operating_status),
    ...anyOf("source", values.source === undefined ? undefined : [values.source]),
    ...anyOf("contact", values.has_contact),
    ...anyOf("subtype", values.subtype),
    ...anyOf("class", values.class),
    ...anyOf("level", values.admin_level),
  ];
  return {
    ...(terms.length === 0 ? {} : { terms }),
    ...(values.min_confidence === undefined ? {} : { minConfidence: values.min_confidence }),
    ...(values.bbox === undefined ? {} : { bbox: values.bbox }),
  };
}
