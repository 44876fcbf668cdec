/**
 * Rows of the small dataset: two countries, names in several scripts, an outline that needs several blocks. @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Geometry, Position } from "../../../data/format/geometry.ts";

export interface SmallRow {
  readonly id: string;
  readonly country: string;
  /** Columns without `id`, `geometry` and `bbox`. */
  readonly columns: Readonly<Record<string, unknown>>;
  readonly geometry: Geometry;
}

export type SmallRows = Readonly<Partial<Record<CollectionName, readonly SmallRow[]>>>;

const CITIES = [
  { country: "JP", lon: 139.75, lat: 35.68, words: ["東京", "カフェ", "Tōkyō"] },
  { country: "MC", lon: 7.42, lat: 43.737, words: ["Café", "Straße", "Monaco"] },
] as const;
type City = (typeof CITIES)[number];

const CATEGORIES = ["cafe", "hotel", "museum"];
const BRANDS = [
  { wikidata: "Q37158", names: { primary: "Starbucks" } },
  { wikidata: null, names: { primary: "Bar Central" } },
  null,
];

/** Reproducible pseudo-random numbers from 0 to 1. */
function fractions(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const PLACES = 24;

function places({ country, lon, lat, words }: City): SmallRow[] {
  const fraction = fractions(lon);
  const degrees = (): number => Math.round(fraction() * 1e5) / 1e7;
  return Array.from({ length: PLACES }, (_, i) => {
    const at: Position = [round(lon + degrees()), round(lat + degrees())];
    // One is not a multiple of 1e-7 degrees, which TWKB cannot represent.
    const coordinates: Position = i === 3 ? [at[0] + 1e-9, at[1]] : at;
    const brand = BRANDS[i % 3];
    const columns = {
      version: i,
      sources: [{ dataset: i % 2 ? "meta" : "OpenStreetMap", record_id: `n${i}`, confidence: 0.25 }],
      names: {
        primary: `${words[i % 3]} ${i}`,
        common: i % 4 ? null : { en: `Corner ${i}`, "zh-Hant": words[0] },
        rules: [{ variant: "short", value: i % 2 ? "Marina" : "Marine" }],
      },
      categories: { primary: CATEGORIES[i % 3], alternate: i % 5 ? null : ["bar"] },
      confidence: i / 32,
      operating_status: i === 7 ? "permanently_closed" : "open",
      websites: i % 2 ? ["https://example.org/"] : null,
      // Incompressible, so that a block has few rows.
      socials: [Array.from({ length: 100 }, () => Math.floor(fraction() * 2 ** 32).toString(16)).join("")],
      ...(brand ? { brand } : {}),
      addresses: [{ freeform: `${i} Main "Street"\n`, country }],
    };
    return {
      id: `${country.toLowerCase()}-${String(i).padStart(3, "0")}`,
      country,
      columns,
      geometry: { type: "Point", coordinates },
    };
  });
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** More than the most populous divisions of a prefix. */
const DIVISIONS = 56;

function divisions({ country, lon, lat, words }: City): SmallRow[] {
  const count = country === "MC" ? DIVISIONS : 5;
  const own = country.toLowerCase();
  return Array.from({ length: count }, (_, i) => {
    const isCountry = i === 0;
    const name = isCountry ? words[2] : `Quartier ${words[0]} ${i}`;
    const columns = {
      version: 1,
      sources: [{ dataset: "OpenStreetMap" }],
      names: { primary: name, common: { fr: `${name} fr`, ja: words[0], cy: `Gwlad ${i}` } },
      subtype: isCountry ? "country" : "locality",
      ...(isCountry ? {} : { population: 1000 + 7 * i }),
      hierarchies: [
        [
          { division_id: `${own}-d00`, subtype: "country", name: words[2] },
          { division_id: `${own}-r`, subtype: "region", name: "Région" },
          { division_id: `${own}-d${String(i).padStart(2, "0")}`, subtype: "locality", name },
        ],
      ],
      admin_level: isCountry ? 0 : 2,
    };
    const geometry: Geometry = { type: "Point", coordinates: [round(lon + i / 1e4), round(lat + i / 2e4)] };
    return { id: `${own}-d${String(i).padStart(2, "0")}`, country, columns, geometry };
  });
}

const OUTLINE_POSITIONS = 2000;

/** An outline with enough positions for several blocks. */
function areas({ country, lon, lat, words }: City): SmallRow[] {
  const fraction = fractions(lat);
  const ring = Array.from({ length: OUTLINE_POSITIONS }, (_, i): Position => {
    const angle = (2 * Math.PI * i) / OUTLINE_POSITIONS;
    const radius = 0.02 + fraction() / 1e3;
    return [round(lon + radius * Math.cos(angle)), round(lat + radius * Math.sin(angle))];
  });
  const own = country.toLowerCase();
  const outline: Geometry = { type: "Polygon", coordinates: [[...ring, ring[0] ?? [lon, lat]]] };
  const box: Geometry = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [lon - 1, lat],
          [lon, lat],
          [lon, lat + 1],
          [lon - 1, lat],
        ],
      ],
    ],
  };
  const area = (id: string, geometry: Geometry, is_land: boolean): SmallRow => ({
    id: `${own}-${id}`,
    country,
    columns: { version: 3, names: { primary: words[2] }, subtype: "country", division_id: `${own}-d00`, is_land },
    geometry,
  });
  return [area("a1", outline, true), area("a0", box, false)];
}

/** Returns the rows of the small dataset. */
export function smallRows(): SmallRows {
  return {
    place: CITIES.flatMap(places),
    division: CITIES.flatMap(divisions),
    division_area: CITIES.flatMap(areas),
  };
}
