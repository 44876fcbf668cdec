/**
 * A record of each of Overture's types with all of its columns, as the pages of its schema describe them. All values are made up.
 * @see https://docs.overturemaps.org/schema/
 * @module
 */
import type { OvertureType } from "../../data/format/collections.ts";
import type { Geometry } from "../../data/format/geometry.ts";

export interface OvertureExample {
  readonly geometry: Geometry;
  readonly values: Readonly<Record<string, unknown>>;
}

const POINT: Geometry = { type: "Point", coordinates: [7.4246, 43.7384] };
const LINE: Geometry = {
  type: "LineString",
  coordinates: [
    [7.42, 43.73],
    [7.43, 43.74],
  ],
};
const AREA: Geometry = {
  type: "Polygon",
  coordinates: [
    [
      [7.42, 43.73],
      [7.43, 43.73],
      [7.43, 43.74],
      [7.42, 43.73],
    ],
  ],
};

const sources = [
  { property: "", dataset: "Example", license: "CC0-1.0", record_id: "w1@2", update_time: "2026-01-01T00:00:00Z" },
  {
    property: "/properties/height",
    dataset: "Survey",
    confidence: 0.5,
    between: [0, 0.5],
    provider: "p",
    version: "1",
  },
];
const names = {
  primary: "Kuzey Kıbrıs",
  common: { en: "Northern Cyprus", "ru-Latn": "Severnyy Kipr", zh: "北塞浦路斯" },
  rules: [
    { variant: "short", value: "KK", language: null },
    { variant: "official", language: "en", value: "Example", side: "left", between: [0.25, 1] },
    { variant: "alternate", value: "Other", perspectives: { mode: "accepted_by", countries: ["TR"] } },
  ],
};
const when = {
  during: "Mo-Fr 08:00-10:00",
  heading: "forward",
  using: ["at_destination"],
  recognized: ["as_employee"],
  mode: ["car", "hgv"],
  vehicle: [
    { dimension: "axle_count", comparison: "less_than", value: 3 },
    { dimension: "weight", comparison: "less_than_equal", value: 0.5, unit: "t" },
  ],
};
const cartography = { prominence: 1, min_zoom: 0, max_zoom: 23, sort_key: -7 };
const perspectives = { mode: "disputed_by", countries: ["XX", "XY"] };
const classified = { names, subtype: "physical", class: "sand" };
const tagged = { level: -1, wikidata: "Q42", source_tags: { natural: "sand", "name:en": "Example" } };
const shape = {
  ...{ level: 1, height: 21.34, is_underground: false, num_floors: 4, num_floors_underground: 1, min_height: 15 },
  ...{ min_floor: 2, facade_color: "#aabbcc", facade_material: "brick", roof_material: "slate", roof_shape: "dome" },
  ...{ roof_direction: 23.4, roof_orientation: "across", roof_color: "red", roof_height: 3.4 },
};
const division = { subtype: "region", class: "land", region: "MC-01", admin_level: 1 };

export const OVERTURE_EXAMPLES: Readonly<Record<OvertureType, OvertureExample>> = {
  place: {
    geometry: POINT,
    values: {
      ...{ version: 3, sources, names, basic_category: "casual_eatery", confidence: 0.85, operating_status: "open" },
      categories: { primary: "sushi_restaurant", alternate: ["bar"] },
      taxonomy: { primary: "sushi_restaurant", hierarchy: ["food", "sushi_restaurant"], alternates: [] },
      websites: ["https://www.example.com"],
      socials: ["https://social.example/a"],
      emails: ["a@example.com"],
      phones: ["+1 512-555-0123"],
      brand: { wikidata: "Q9999999", names: { primary: "Example & Co" } },
      addresses: [
        { freeform: "Platz 8", locality: "Monaco", postcode: "98000", region: "MC-01", country: "MC" },
        { freeform: null },
      ],
    },
  },
  building: { geometry: AREA, values: { version: 1, sources, ...classified, has_parts: true, ...shape } },
  building_part: { geometry: AREA, values: { version: 1, sources, names, building_id: "building", ...shape } },
  address: {
    geometry: POINT,
    values: {
      ...{ version: 0, sources, country: "MC", postcode: "02459", street: "RUE 1", number: "10b", unit: "4" },
      ...{ address_levels: [{ value: "MA" }, {}], postal_city: "Some City" },
    },
  },
  infrastructure: {
    geometry: AREA,
    values: { version: 0, sources, ...classified, surface: "paved", height: 12.5, ...tagged },
  },
  land: { geometry: AREA, values: { version: 0, sources, ...classified, surface: "sand", elevation: -3, ...tagged } },
  land_cover: { geometry: AREA, values: { version: 0, sources, subtype: "forest", cartography } },
  land_use: {
    geometry: AREA,
    values: { version: 0, sources, ...classified, surface: "grass", elevation: 9, ...tagged },
  },
  water: {
    geometry: AREA,
    values: { version: 0, sources, ...classified, ...tagged, is_salt: false, is_intermittent: true },
  },
  bathymetry: { geometry: AREA, values: { version: 0, sources, depth: 2500, cartography } },
  segment: {
    geometry: LINE,
    values: {
      ...{ version: 2, sources, names, subtype: "road", class: "primary", subclass: "link" },
      connectors: [
        { connector_id: "connector", at: 0 },
        { connector_id: "other", at: 1 },
      ],
      routes: [{ name: "Route", network: "US:I", ref: "90", symbol: "a", wikidata: "Q1", between: [0, 0.5] }],
      subclass_rules: [{ value: "link", between: [0, 0.5] }],
      access_restrictions: [{ access_type: "denied", when, between: [0.25, 0.5] }, { access_type: "allowed" }],
      level_rules: [{ value: -1, between: null }],
      destinations: [
        {
          ...{ labels: [{ value: "Seattle", type: "unknown" }], symbols: ["motorway"], from_connector_id: "connector" },
          ...{ to_segment_id: "b", to_connector_id: "other", when: { heading: "forward" }, final_heading: "backward" },
        },
      ],
      prohibited_transitions: [
        { sequence: [{ connector_id: "other", segment_id: "b" }], final_heading: "forward", when, between: [0, 1] },
      ],
      road_surface: [{ value: "gravel", between: [0, 0.5] }],
      road_flags: [{ values: ["is_bridge", "is_tunnel"], between: [0, 0.5] }],
      speed_limits: [
        {
          max_speed: { value: 50, unit: "km/h" },
          min_speed: { value: 5, unit: "mph" },
          is_max_speed_variable: true,
          when,
        },
      ],
      width_rules: [{ value: 2.5 }],
      rail_flags: [{ values: ["is_freight"] }],
    },
  },
  connector: { geometry: POINT, values: { version: 0, sources } },
  division: {
    geometry: POINT,
    values: {
      ...{ version: 0, sources, names, ...division, country: "XX", parent_division_id: "parent", wikidata: "Q1" },
      ...{
        population: 40_000,
        local_type: { en: "territory" },
        norms: { driving_side: "right" },
        perspectives,
        cartography,
      },
      hierarchies: [
        [
          { division_id: "parent", subtype: "country", name: "Parent" },
          { division_id: "division", subtype: "region", name: null },
        ],
        [],
      ],
      capital_division_ids: ["a", "b"],
      capital_of_divisions: [{ division_id: "parent", subtype: "country" }],
    },
  },
  division_area: {
    geometry: AREA,
    values: {
      ...{ version: 0, sources, names, ...division, country: "MC", division_id: "division" },
      ...{ is_land: true, is_territorial: false },
    },
  },
  division_boundary: {
    geometry: LINE,
    values: {
      ...{ version: 1, sources, ...division, country: null, is_land: true, is_territorial: false, is_disputed: true },
      ...{ division_ids: ["left", "right"], perspectives },
    },
  },
};
