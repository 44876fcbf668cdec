/**
 * The collections of a dataset with their columns. Types, SQL, validation and documentation derive from here.
 * Names and types are Overture's (schema 2.0.0, with what releases back to 2025 had); types are spelled as DuckDB spells them.
 * @see https://docs.overturemaps.org/schema/
 * @module
 */
import type { OwnSchema } from "./own-schema.ts";

/** The fifteen types of Overture's schema. */
export type OvertureType =
  | "place"
  | "building"
  | "building_part"
  | "address"
  | "infrastructure"
  | "land"
  | "land_cover"
  | "land_use"
  | "water"
  | "bathymetry"
  | "segment"
  | "connector"
  | "division"
  | "division_area"
  | "division_boundary";

/** Overture's types, and the join of places with buildings. */
export type KnownCollection = OvertureType | "place_building";

/** The name of a known collection, or of one with its own schema (`own-collections.ts`). */
export type CollectionName = string;

/** A column of a collection's rows. */
export interface Column {
  /** Overture's name. */
  readonly name: string;
  /** DuckDB's spelling of the type; `GEOMETRY` columns are stored as WKB. */
  readonly type: string;
  /** Content and unit, in one sentence. */
  readonly doc: string;
}

/** How a row gets its `country`: from its declaration if there is one, otherwise from its representative point. */
type CountryRule = "declared" | "located";

/** A kind of records with a schema: a type of Overture, or the rows of a user's table. */
export interface Collection {
  readonly name: CollectionName;
  /** Overture's theme, or `own`; written as `properties.theme`. */
  readonly theme: string;
  /** Overture's type, or the name of a collection with its own schema; written as `properties.type`. */
  readonly type: string;
  readonly countryRule: CountryRule;
  /**
   * Columns in the order of the file, without `country`, which is the Hive key of the folder.
   * The first four are the same everywhere: id, geometry, bbox, version.
   */
  readonly columns: readonly Column[];
  /** Names of columns that are computed from the stored ones. Absent for known collections. */
  readonly computed?: readonly string[];
  /** The schema of a collection that is made from a user's table. */
  readonly own?: OwnSchema;
}

const BETWEEN = '"between" DOUBLE[]';
const RULES = `STRUCT(variant VARCHAR, "language" VARCHAR, perspectives STRUCT("mode" VARCHAR, countries VARCHAR[]), "value" VARCHAR, ${BETWEEN}, side VARCHAR)[]`;
const NAMES_TYPE = `STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR), rules ${RULES})`;
const SOURCES_TYPE = `STRUCT(property VARCHAR, dataset VARCHAR, license VARCHAR, record_id VARCHAR, update_time VARCHAR, confidence DOUBLE, ${BETWEEN}, provider VARCHAR, resource VARCHAR, version VARCHAR)[]`;
const VEHICLE = 'vehicle STRUCT(dimension VARCHAR, comparison VARCHAR, "value" DOUBLE, unit VARCHAR)[]';
const WHEN = `"when" STRUCT(during VARCHAR, heading VARCHAR, "using" VARCHAR[], recognized VARCHAR[], "mode" VARCHAR[], ${VEHICLE})`;
const SPEED = 'STRUCT("value" INTEGER, unit VARCHAR)';

const column = (name: string, type: string, doc: string): Column => ({ name, type, doc });

/** DuckDB's type of the column `bbox`, the covering of GeoParquet. */
export const BBOX_TYPE = "STRUCT(xmin DOUBLE, xmax DOUBLE, ymin DOUBLE, ymax DOUBLE)";

export const ID = column("id", "VARCHAR", "Identifier, unique within the collection; compared as UTF-8 bytes.");
export const GEOMETRY = column("geometry", "GEOMETRY", "Shape in WGS84 degrees, longitude first, stored as WKB.");
export const BBOX = column(
  "bbox",
  BBOX_TYPE,
  "Box of the geometry in degrees, computed from it; the GeoParquet covering.",
);
export const VERSION = column("version", "INTEGER", "Version of the feature; rises when it changes.");
const SOURCES = column("sources", SOURCES_TYPE, "Sources of the values: dataset, licence, record.");
const NAMES = column("names", NAMES_TYPE, "Primary name, common names by language code, and rules for variants.");
const SUBTYPE = column("subtype", "VARCHAR", "First level of classification.");
const CLASS = column("class", "VARCHAR", "Second level of classification.");
const LEVEL = column("level", "INTEGER", "Order of drawing, 0 at ground level.");
const WIKIDATA = column("wikidata", "VARCHAR", "Wikidata item, such as Q42.");
const SURFACE = column("surface", "VARCHAR", "Surface material.");
const ELEVATION = column("elevation", "INTEGER", "Metres above sea level.");
const SOURCE_TAGS = column("source_tags", "MAP(VARCHAR, VARCHAR)", "Tags of the source, OpenStreetMap's for instance.");
const REGION = column("region", "VARCHAR", "ISO 3166-2 code of the region.");
const ADMIN_LEVEL = column("admin_level", "INTEGER", "Administrative level, 0 for a country.");
const IS_LAND = column("is_land", "BOOLEAN", "Whether it is the land part.");
const IS_TERRITORIAL = column("is_territorial", "BOOLEAN", "Whether it includes territorial waters.");
const PERSPECTIVES = column(
  "perspectives",
  'STRUCT("mode" VARCHAR, countries VARCHAR[])',
  "Countries that accept or dispute it.",
);
const CARTOGRAPHY = column(
  "cartography",
  "STRUCT(prominence INTEGER, min_zoom INTEGER, max_zoom INTEGER, sort_key INTEGER)",
  "Hints for drawing.",
);

const COMMON = [ID, GEOMETRY, BBOX, VERSION, SOURCES];

const BUILDING_SHAPE = [
  LEVEL,
  column("height", "DOUBLE", "Height in metres, from the ground to the roof's top."),
  column("is_underground", "BOOLEAN", "Whether it is completely below ground."),
  column("num_floors", "INTEGER", "Floors above ground."),
  column("num_floors_underground", "INTEGER", "Floors below ground."),
  column("min_height", "DOUBLE", "Height of the bottom above ground, metres."),
  column("min_floor", "INTEGER", "Floor at which it begins."),
  column("facade_color", "VARCHAR", "Colour of the facade, #rrggbb or a name."),
  column("facade_material", "VARCHAR", "Material of the facade."),
  column("roof_material", "VARCHAR", "Material of the roof."),
  column("roof_shape", "VARCHAR", "Shape of the roof."),
  column("roof_direction", "DOUBLE", "Bearing of the roof's slope, degrees clockwise from north."),
  column("roof_orientation", "VARCHAR", "Ridge along or across the long side."),
  column("roof_color", "VARCHAR", "Colour of the roof, #rrggbb or a name."),
  column("roof_height", "DOUBLE", "Height of the roof alone, metres."),
];

const PLACE_OWN = [
  NAMES,
  column(
    "categories",
    'STRUCT("primary" VARCHAR, alternate VARCHAR[])',
    "Category and alternates; filled from taxonomy and basic_category where the release has none.",
  ),
  column("basic_category", "VARCHAR", "A category of a small, stable set."),
  column(
    "taxonomy",
    'STRUCT("primary" VARCHAR, hierarchy VARCHAR[], alternates VARCHAR[])',
    "Category with its ancestors, widest first.",
  ),
  column("confidence", "DOUBLE", "Likelihood that the place exists, 0 to 1."),
  column("operating_status", "VARCHAR", "open, temporarily_closed or permanently_closed."),
  column("websites", "VARCHAR[]", "Web addresses."),
  column("socials", "VARCHAR[]", "Addresses on social networks."),
  column("emails", "VARCHAR[]", "E-mail addresses."),
  column("phones", "VARCHAR[]", "Telephone numbers."),
  column("brand", `STRUCT(wikidata VARCHAR, "names" ${NAMES_TYPE})`, "Brand the place belongs to."),
  column(
    "addresses",
    "STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, region VARCHAR, country VARCHAR)[]",
    "Postal addresses as the source gives them.",
  ),
];

const base = (name: OvertureType, ...own: readonly Column[]): Collection => ({
  name,
  type: name,
  theme: "base",
  countryRule: "located",
  columns: [...COMMON, ...own],
});

/** The known collections, by name, in the order of Overture's documentation. */
export const COLLECTIONS: Readonly<Record<KnownCollection, Collection>> = {
  place: { name: "place", type: "place", theme: "places", countryRule: "located", columns: [...COMMON, ...PLACE_OWN] },
  place_building: {
    name: "place_building",
    type: "place",
    theme: "places",
    countryRule: "located",
    columns: [
      ...COMMON,
      ...PLACE_OWN,
      column(
        "ext_building",
        "STRUCT(id VARCHAR, distance DOUBLE, subtype VARCHAR, class VARCHAR, height DOUBLE, num_floors INTEGER, num_floors_underground INTEGER)",
        "The building that contains the place, otherwise the nearest within 25 m; `distance` in metres, 0 inside.",
      ),
      column(
        "ext_place_geometry",
        'STRUCT("type" VARCHAR, coordinates DOUBLE[])',
        "The place's own point as GeoJSON; `geometry` is the building's.",
      ),
    ],
  },
  building: {
    name: "building",
    type: "building",
    theme: "buildings",
    countryRule: "located",
    columns: [
      ...COMMON,
      NAMES,
      SUBTYPE,
      CLASS,
      column("has_parts", "BOOLEAN", "Whether building_part has its parts."),
      ...BUILDING_SHAPE,
    ],
  },
  building_part: {
    name: "building_part",
    type: "building_part",
    theme: "buildings",
    countryRule: "located",
    columns: [...COMMON, NAMES, column("building_id", "VARCHAR", "The building it is a part of."), ...BUILDING_SHAPE],
  },
  address: {
    name: "address",
    type: "address",
    theme: "addresses",
    countryRule: "declared",
    columns: [
      ...COMMON,
      column("postcode", "VARCHAR", "Postal code."),
      column("street", "VARCHAR", "Street name."),
      column("number", "VARCHAR", "House number, with letters."),
      column("unit", "VARCHAR", "Unit, suite or flat."),
      column("address_levels", 'STRUCT("value" VARCHAR)[]', "Administrative levels, widest first."),
      column("postal_city", "VARCHAR", "City in the postal address where it differs from the place's."),
    ],
  },
  infrastructure: base(
    "infrastructure",
    NAMES,
    SUBTYPE,
    CLASS,
    SURFACE,
    column("height", "DOUBLE", "Height in metres."),
    LEVEL,
    WIKIDATA,
    SOURCE_TAGS,
  ),
  land: base("land", NAMES, SUBTYPE, CLASS, SURFACE, ELEVATION, LEVEL, WIKIDATA, SOURCE_TAGS),
  land_cover: base("land_cover", SUBTYPE, CARTOGRAPHY),
  land_use: base("land_use", NAMES, SUBTYPE, CLASS, SURFACE, ELEVATION, LEVEL, WIKIDATA, SOURCE_TAGS),
  water: base(
    "water",
    NAMES,
    SUBTYPE,
    CLASS,
    LEVEL,
    WIKIDATA,
    column("is_salt", "BOOLEAN", "Whether the water is salt."),
    column("is_intermittent", "BOOLEAN", "Whether the water is temporary."),
    SOURCE_TAGS,
  ),
  bathymetry: base("bathymetry", column("depth", "INTEGER", "Depth in metres below sea level."), CARTOGRAPHY),
  segment: {
    name: "segment",
    type: "segment",
    theme: "transportation",
    countryRule: "located",
    columns: [
      ...COMMON,
      NAMES,
      SUBTYPE,
      CLASS,
      column("subclass", "VARCHAR", "Third level of classification."),
      column(
        "connectors",
        'STRUCT(connector_id VARCHAR, "at" DOUBLE)[]',
        "Connectors along the line; `at` is the share of its length, 0 to 1.",
      ),
      column(
        "routes",
        `STRUCT("name" VARCHAR, network VARCHAR, "ref" VARCHAR, symbol VARCHAR, wikidata VARCHAR, ${BETWEEN})[]`,
        "Routes that use it.",
      ),
      column("subclass_rules", `STRUCT("value" VARCHAR, ${BETWEEN})[]`, "Subclass along parts of the line."),
      column(
        "access_restrictions",
        `STRUCT(access_type VARCHAR, ${WHEN}, ${BETWEEN})[]`,
        "Access rules, and when they apply.",
      ),
      column("level_rules", `STRUCT("value" INTEGER, ${BETWEEN})[]`, "Level along parts of the line."),
      column(
        "destinations",
        'STRUCT(labels STRUCT("value" VARCHAR, "type" VARCHAR)[], symbols VARCHAR[], from_connector_id VARCHAR, to_segment_id VARCHAR, to_connector_id VARCHAR, "when" STRUCT(heading VARCHAR), final_heading VARCHAR)[]',
        "Destinations on signs.",
      ),
      column(
        "prohibited_transitions",
        `STRUCT("sequence" STRUCT(connector_id VARCHAR, segment_id VARCHAR)[], final_heading VARCHAR, ${WHEN}, ${BETWEEN})[]`,
        "Turns that are not allowed.",
      ),
      column("road_surface", `STRUCT("value" VARCHAR, ${BETWEEN})[]`, "Surface along parts of the line."),
      column("road_flags", `STRUCT("values" VARCHAR[], ${BETWEEN})[]`, "Flags such as is_bridge."),
      column(
        "speed_limits",
        `STRUCT(min_speed ${SPEED}, max_speed ${SPEED}, is_max_speed_variable BOOLEAN, ${WHEN}, ${BETWEEN})[]`,
        "Speed limits, km/h or mph.",
      ),
      column("width_rules", `STRUCT("value" DOUBLE, ${BETWEEN})[]`, "Width in metres along parts of the line."),
      column("rail_flags", `STRUCT("values" VARCHAR[], ${BETWEEN})[]`, "Flags of a railway."),
    ],
  },
  connector: { name: "connector", type: "connector", theme: "transportation", countryRule: "located", columns: COMMON },
  division: {
    name: "division",
    type: "division",
    theme: "divisions",
    countryRule: "declared",
    columns: [
      ...COMMON,
      NAMES,
      SUBTYPE,
      CLASS,
      REGION,
      column("parent_division_id", "VARCHAR", "The parent division."),
      WIKIDATA,
      ADMIN_LEVEL,
      column("population", "INTEGER", "People living there."),
      column("local_type", "MAP(VARCHAR, VARCHAR)", "Local name of its kind, by language code."),
      column(
        "hierarchies",
        'STRUCT(division_id VARCHAR, subtype VARCHAR, "name" VARCHAR)[][]',
        "Chains of divisions from the country down to it.",
      ),
      PERSPECTIVES,
      column("norms", "STRUCT(driving_side VARCHAR)", "Local customs."),
      column("capital_division_ids", "VARCHAR[]", "Its capitals."),
      column(
        "capital_of_divisions",
        "STRUCT(division_id VARCHAR, subtype VARCHAR)[]",
        "Divisions it is the capital of.",
      ),
      CARTOGRAPHY,
    ],
  },
  division_area: {
    name: "division_area",
    type: "division_area",
    theme: "divisions",
    countryRule: "declared",
    columns: [
      ...COMMON,
      NAMES,
      SUBTYPE,
      CLASS,
      REGION,
      column("division_id", "VARCHAR", "The division with this area."),
      ADMIN_LEVEL,
      IS_LAND,
      IS_TERRITORIAL,
    ],
  },
  division_boundary: {
    name: "division_boundary",
    type: "division_boundary",
    theme: "divisions",
    countryRule: "declared",
    columns: [
      ...COMMON,
      SUBTYPE,
      CLASS,
      REGION,
      ADMIN_LEVEL,
      IS_LAND,
      IS_TERRITORIAL,
      column("is_disputed", "BOOLEAN", "Whether the boundary is disputed."),
      column("division_ids", "VARCHAR[]", "The divisions on its left and on its right."),
      PERSPECTIVES,
    ],
  },
};

/** Names of the known collections. */
export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as readonly KnownCollection[];

/** Overture's types: the possible types of a source file. */
export const OVERTURE_TYPES = COLLECTION_NAMES.filter((name): name is OvertureType => name !== "place_building");

/** Returns whether the text names a known collection. */
export function isCollectionName(text: string): text is KnownCollection {
  return Object.hasOwn(COLLECTIONS, text);
}

/** Returns true if the text names a type of Overture's schema. */
export function isOvertureType(text: string): text is OvertureType {
  return OVERTURE_TYPES.some((type) => type === text);
}

/** Returns the known collection with this name. Throws for another name. */
export function knownCollection(name: string): Collection {
  if (isCollectionName(name)) return COLLECTIONS[name];
  throw new Error(`${JSON.stringify(name)} is no known collection, expected one of ${COLLECTION_NAMES.join(", ")}`);
}

/** Collections whose rows are all points. */
export const POINT_COLLECTIONS: ReadonlySet<string> = new Set(["place", "address", "connector", "division"]);
