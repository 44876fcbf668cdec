/**
 * Photon's `osm_tag`: maps tags of OpenStreetMap to records. A tag without an exact equivalent is refused.
 * @see https://github.com/komoot/photon/blob/master/docs/api-v1.md#filter-results-by-tags-and-values
 * @module
 */
import { textOf } from "../../data/format/json.ts";
import { type Facet, type TermColumns, termsOfRow } from "../../data/format/terms.ts";
import type { Suggestion } from "../engine/index.ts";
import type { Described } from "./record-parts.ts";

/** Records that have a tag: their kinds, and a condition. */
interface Meaning {
  readonly kinds: readonly Suggestion["kind"][];
  /** Terms, of which a place must have one. */
  readonly terms?: readonly string[];
  /** Classes, of which a road must have one. */
  readonly classes?: readonly string[];
  /** Classes or subtypes, of which a division must have one. */
  readonly divisions?: readonly string[];
}

/**
 * Categories of places for each key and value of OpenStreetMap, with the names of all Overture releases. `taxonomy:` before a
 * category includes the categories below it.
 */
export const PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aeroway: { aerodrome: "airport" },
  amenity: {
    atm: "atm atms",
    bank: "bank bank_credit_union bank_or_credit_union banks",
    bar: "bar",
    bicycle_rental: "bicycle_rental bike_rental bike_rentals",
    bus_station: "bus_station",
    cafe: "cafe coffee_shop",
    car_rental: "car_rental car_rental_agency car_rental_service",
    car_wash: "car_wash",
    casino: "casino",
    childcare: "child_care_and_day_care childcare day_care_preschool",
    cinema: "cinema movie_theater",
    clinic: "clinic medical_center primary_care_or_general_clinic",
    college: "college_university",
    community_centre: "community_center community_centre",
    courthouse: "courthouse",
    dentist: "dental_clinic dentist general_dentistry",
    doctors: "doctor doctors doctors_office",
    fast_food: "fast_food fast_food_restaurant",
    fire_station: "fire_department fire_station",
    fuel: "fuel fueling_station gas_station",
    hospital: "hospital",
    ice_cream: "ice_cream ice_cream_shop",
    kindergarten: "kindergarten preschool",
    library: "library",
    marketplace: "farmers_market market marketplace",
    nightclub: "dance_club nightclub",
    parking: "parking",
    pharmacy: "pharmacy pharmacy_and_drug_store drugstore",
    place_of_worship:
      "baptist_church baptist_place_of_worship buddhist_place_of_worship buddhist_temple catholic_church christian_place_of_worship church_cathedral hindu_temple mosque place_of_worship protestant_place_of_worship roman_catholic_place_of_worship synagogue taxonomy:place_of_worship",
    police: "police police_department police_station",
    post_office: "post_office",
    pub: "irish_pub pub",
    restaurant: "restaurant taxonomy:restaurant",
    school: "elementary_school high_school middle_school private_school school",
    theatre: "theatre theatre_venue",
    townhall: "town_hall townhall",
    university: "college_university university",
    veterinary: "veterinarian veterinary veterinary_care",
  },
  leisure: {
    fitness_centre: "fitness_centre gym",
    garden: "botanical_garden garden",
    ice_rink: "ice_rink skating_rink",
    marina: "marina",
    park: "national_park park",
    playground: "playground",
    sports_centre: "sports_centre",
    stadium: "football_stadium stadium stadium_arena",
    swimming_pool: "swimming_pool",
    water_park: "water_park",
  },
  railway: { station: "train_station" },
  shop: {
    bakery: "bakery",
    beauty: "beauty beauty_and_spa beauty_salon",
    bicycle: "bicycle bicycle_shop bike_store",
    books: "books bookstore",
    butcher: "butcher butcher_shop",
    car: "auto_dealer car car_dealer",
    car_repair: "automotive_repair car_repair",
    clothes: "childrens_clothing_store clothes clothing_store mens_clothing_store womens_clothing_store",
    convenience: "convenience convenience_store",
    department_store: "department_store",
    doityourself: "doityourself hardware_store home_improvement_store",
    electronics: "electronics electronics_store",
    florist: "florist flowers_and_gifts_shop flowers_and_gifts_store",
    furniture: "furniture furniture_store",
    hairdresser: "barber hair_salon hairdresser",
    jewelry: "jewelry jewelry_store",
    mall: "mall shopping_center shopping_mall",
    optician: "eyewear_and_optician eyewear_store",
    shoes: "shoe_store shoes",
    supermarket: "grocery_store supermarket",
    travel_agency: "travel_agency travel_agent",
  },
  tourism: {
    apartment: "apartment holiday_rental_home",
    aquarium: "aquarium",
    attraction: "attraction landmark_and_historical_building",
    camp_site: "campground",
    gallery: "art_gallery gallery",
    guest_house: "bed_and_breakfast guest_house",
    hostel: "hostel",
    hotel: "accommodation hotel",
    motel: "motel",
    museum: "art_museum contemporary_art_museum history_museum museum taxonomy:museum",
    theme_park: "amusement_park",
    viewpoint: "viewpoint",
    zoo: "zoo",
  },
};

const TAGS: ReadonlyMap<string, readonly [key: string, value: string]> = new Map(
  Object.entries(PLACES)
    .flatMap(([key, values]) => Object.entries(values).map(([value, names]) => [key, value, names] as const))
    .flatMap(([key, value, names]) => names.split(" ").map((name) => [name, [key, value]] as const))
    // the first tag of a category counts
    .reverse(),
);

/** Returns key and value of the tag for a category of places, such as `amenity`, `cafe`; undefined without an equivalent. */
export function tagOfCategory(category: string): readonly [key: string, value: string] | undefined {
  return TAGS.get(category);
}

/** Classes of roads are values of `highway`. */
const ROADS = [
  ...["motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"],
  ...["service", "pedestrian", "footway", "steps", "path", "track", "cycleway", "bridleway"],
];

/** Classes and subtypes of divisions by value of `place`. */
const DIVISIONS: Readonly<Record<string, readonly string[]>> = {
  country: ["country", "dependency"],
  state: ["macroregion", "region"],
  county: ["macrocounty", "county"],
  municipality: ["localadmin"],
  city: ["city", "megacity"],
  town: ["town"],
  village: ["village"],
  hamlet: ["hamlet"],
  borough: ["borough"],
  neighbourhood: ["neighborhood", "microhood"],
};
const HOUSE = "house";

const DIVISION_KINDS = ["country", "division"] as const;

/** Keys that can be used without a value, because the data can find all their records. */
const WHOLE: ReadonlyMap<string, Meaning> = new Map([
  ["highway", { kinds: ["street"] }],
  ["place", { kinds: [...DIVISION_KINDS, "address"] }],
]);

const KEYS = [...WHOLE.keys(), ...Object.keys(PLACES)].sort();

function valuesOf(key: string): readonly string[] {
  if (key === "highway") return ROADS;
  return key === "place" ? [...Object.keys(DIVISIONS), HOUSE] : Object.keys(PLACES[key] ?? {});
}

function meaningOf(key: string, value: string): Meaning | undefined {
  if (!valuesOf(key).includes(value)) return undefined;
  if (key === "highway") return { kinds: ["street"], classes: [value] };
  if (key !== "place") return { kinds: ["place"], terms: termsOf(PLACES[key]?.[value] ?? "") };
  return value === HOUSE ? { kinds: ["address"] } : { kinds: DIVISION_KINDS, divisions: DIVISIONS[value] ?? [] };
}

function termsOf(categories: string): string[] {
  return categories.split(" ").map((name) => (name.includes(":") ? name : `category:${name}`));
}

/** Conditions on tags: a record must have one of the wanted ones, if there are any, and none of the unwanted ones. */
export interface OsmTags {
  readonly wanted: readonly Meaning[];
  readonly unwanted: readonly Meaning[];
}

/** A key, or a key and a value, with or without `!` before the key or the value. */
export const OSM_TAG = /^!?[a-z_]+(:!?[^:!]+)?$/;

interface Read {
  readonly wanted?: Meaning;
  readonly unwanted?: Meaning;
}

/** Returns what the tag means; undefined for a tag without an equivalent in the data. */
function readTag(tag: string): Read | undefined {
  const [, not, key = "", notValue, value] = /^(!?)([^:]*)(?::(!?)(.*))?$/.exec(tag) ?? [];
  const whole = WHOLE.get(key);
  const meaning = value === undefined ? whole : meaningOf(key, value);
  if (!meaning) return undefined;
  if (not === "!") return notValue === "!" ? undefined : { unwanted: meaning };
  // key:!value is any value of the key except one
  if (notValue === "!") return whole && { wanted: whole, unwanted: meaning };
  return { wanted: meaning };
}

/** Parses tags such as `amenity:cafe` or `!highway`. Ignores tags that `allowedTagFor` refuses. */
export function parseOsmTags(sent: readonly string[]): OsmTags {
  const read = sent.map(readTag);
  return {
    wanted: read.flatMap((tag) => tag?.wanted ?? []),
    unwanted: read.flatMap((tag) => tag?.unwanted ?? []),
  };
}

/** Returns a message about what is allowed instead, for a tag without an equivalent in the data; undefined for any other tag. */
export function allowedTagFor(tag: string): string | undefined {
  if (readTag(tag)) return undefined;
  const [key = ""] = /[a-z_]+/.exec(tag) ?? [];
  if (!KEYS.includes(key))
    return `key:value or !key:value with a key of ${KEYS.join(", ")}, as other keys have no equivalent in the data`;
  const alone = WHOLE.has(key) ? `${key} alone, or ` : "";
  return `${alone}${key}: with one of ${valuesOf(key).join(", ")}, as other values have no equivalent in the data`;
}

/** Returns whether the request has conditions on tags of OpenStreetMap. */
export function hasTags({ wanted, unwanted }: OsmTags): boolean {
  return wanted.length + unwanted.length > 0;
}

/** Returns whether a feature of the kind can have one of the wanted tags. True if none is wanted. */
export function mayBe({ wanted }: OsmTags, kind: Suggestion["kind"]): boolean {
  return wanted.length === 0 || wanted.some(({ kinds }) => kinds.includes(kind));
}

/** Returns terms of which a place must have one to have a wanted tag; undefined if no tag of places is wanted. */
export function placeTerms({ wanted }: OsmTags): readonly string[] | undefined {
  const places = wanted.filter(({ kinds }) => kinds.includes("place"));
  return places.length === 0 ? undefined : places.flatMap(({ terms = [] }) => terms);
}

/**
 * Returns terms of which a road must have one to have a wanted tag; undefined if the tags allow any road, or no tag of roads is
 * wanted.
 */
export function roadTerms({ wanted }: OsmTags): readonly string[] | undefined {
  const roads = wanted.filter(({ kinds }) => kinds.includes("street"));
  if (roads.length === 0 || roads.some(({ classes }) => classes === undefined)) return undefined;
  return roads.flatMap(({ classes = [] }) => classes.map((name) => `class:${name}`));
}

/** Returns whether the record has one of the wanted tags, if there are any, and none of the unwanted ones. */
export function hasWantedTags(record: Described, { wanted, unwanted }: OsmTags): boolean {
  if (wanted.length > 0 && !wanted.some((meaning) => isMeant(record, meaning))) return false;
  return !unwanted.some((meaning) => isMeant(record, meaning));
}

function isMeant({ properties }: Described, { kinds, terms, classes, divisions }: Meaning): boolean {
  if (!kinds.some((kind) => TYPES[kind].includes(String(properties.type)))) return false;
  if (terms) {
    const own = termsOfRow(properties as TermColumns, PLACE_FACETS);
    return terms.some((term) => own.includes(term));
  }
  if (classes) return classes.includes(String(properties.class));
  const own = [textOf(properties.subtype), textOf(properties.class)];
  // the class of a division area is only land or sea
  return divisions === undefined || properties.type === "address" || divisions.some((name) => own.includes(name));
}

const PLACE_FACETS: ReadonlySet<Facet> = new Set(["category", "taxonomy"]);

const TYPES: Readonly<Record<Suggestion["kind"], readonly string[]>> = {
  country: ["division", "division_area"],
  division: ["division", "division_area"],
  place: ["place"],
  street: ["segment"],
  address: ["address"],
  category: [],
};
