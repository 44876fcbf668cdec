/**
 * The suite's own facts about Overture's types: theme, columns, and source of the country.
 * @see https://docs.overturemaps.org/schema/
 * @module
 */

const BUILDING =
  "names level height is_underground num_floors num_floors_underground min_height min_floor facade_color facade_material roof_material roof_shape roof_direction roof_orientation roof_color roof_height";
const PHYSICAL = "names subtype class surface level wikidata source_tags";

/** Columns of each type that are properties, in addition to `version` and `sources`. */
const COLUMNS = {
  place:
    "names categories basic_category taxonomy confidence operating_status websites socials emails phones brand addresses",
  building: `${BUILDING} subtype class has_parts`,
  building_part: `${BUILDING} building_id`,
  address: "country postcode street number unit address_levels postal_city",
  infrastructure: `${PHYSICAL} height`,
  land: `${PHYSICAL} elevation`,
  land_cover: "subtype cartography",
  land_use: `${PHYSICAL} elevation`,
  water: "names subtype class level wikidata source_tags is_salt is_intermittent",
  bathymetry: "depth cartography",
  segment:
    "names subtype class subclass connectors routes subclass_rules access_restrictions level_rules destinations prohibited_transitions road_surface road_flags speed_limits width_rules rail_flags",
  connector: "",
  division:
    "country names subtype class region parent_division_id wikidata admin_level population local_type hierarchies perspectives norms capital_division_ids capital_of_divisions cartography",
  division_area: "country names subtype class region division_id admin_level is_land is_territorial",
  division_boundary:
    "country subtype class region admin_level is_land is_territorial is_disputed division_ids perspectives",
} as const;

export type OvertureType = keyof typeof COLUMNS;

export const OVERTURE_TYPES = Object.keys(COLUMNS).filter(isOvertureType);

/** True if the text is a type of Overture's schema. */
export function isOvertureType(text: string): text is OvertureType {
  return Object.hasOwn(COLUMNS, text);
}

/** Returns the properties that records of the type may have. */
export function columnsOf(type: OvertureType): readonly string[] {
  return ["version", "sources", ...COLUMNS[type].split(" ").filter((name) => name !== "")];
}

/** Types with a declared country. */
export const DECLARED: ReadonlySet<OvertureType> = new Set([
  "address",
  "division",
  "division_area",
  "division_boundary",
]);

/** Types with points only. */
export const POINTS: ReadonlySet<OvertureType> = new Set(["place", "address", "connector", "division"]);

/** Returns the theme of the type. */
export function themeOf(type: OvertureType): string {
  switch (type) {
    case "place":
      return "places";
    case "building":
    case "building_part":
      return "buildings";
    case "address":
      return "addresses";
    case "segment":
    case "connector":
      return "transportation";
    case "division":
    case "division_area":
    case "division_boundary":
      return "divisions";
    default:
      return "base";
  }
}
