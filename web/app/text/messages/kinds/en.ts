/**
 * What records are, in English: Overture's types, and the kinds of divisions.
 * @module
 */

export const kinds = {
  "kind.address": "Address",
  "kind.bathymetry": "Bathymetry",
  "kind.borough": "Borough",
  "kind.building": "Building",
  "kind.building_part": "Building part",
  "kind.connector": "Connector",
  "kind.country": "Country",
  "kind.county": "County",
  "kind.dependency": "Dependency",
  "kind.division": "Division",
  "kind.division_area": "Division area",
  "kind.division_boundary": "Division boundary",
  "kind.infrastructure": "Infrastructure",
  "kind.land": "Land",
  "kind.land_cover": "Land cover",
  "kind.land_use": "Land use",
  "kind.localadmin": "Localadmin",
  "kind.locality": "Locality",
  "kind.macrocounty": "Macrocounty",
  "kind.macrohood": "Macrohood",
  "kind.macroregion": "Macroregion",
  "kind.microhood": "Microhood",
  "kind.neighborhood": "Neighborhood",
  "kind.place": "Place",
  "kind.region": "Region",
  "kind.segment": "Segment",
  "kind.water": "Water",
} as const satisfies Record<string, string>;

/** The same in any language. */
export type Kinds = Readonly<Record<keyof typeof kinds, string>>;
