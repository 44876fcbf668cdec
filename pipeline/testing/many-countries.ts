/**
 * A small dataset of nine countries: the sample's divisions, and generated places, streets and addresses in one town
 * each.
 * @module
 */
import { point } from "./folders.ts";
import { buildInTheWorld } from "./in-the-world.ts";

export interface Town {
  readonly country: string;
  readonly countryName: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly postcode: string;
  readonly places: number;
  /** A street name around the word. */
  readonly streetOf: (word: string) => string;
  /** True if the sample has no division of it. */
  readonly isAdded?: true;
}

const strasse = (word: string) => `${word}strasse`;
const rue = (word: string) => `Rue ${word}`;
const street = (word: string) => `${word} Street`;

/** By number of rows: a search without a location reads the first countries first. */
export const TOWNS: readonly Town[] = [
  {
    ...{ country: "DE", countryName: "Germany", name: "Berlin", lon: 13.41, lat: 52.52, postcode: "10117" },
    ...{ places: 240, streetOf: strasse },
  },
  {
    ...{ country: "CY", countryName: "Cyprus", name: "Nicosia", lon: 33.36, lat: 35.17, postcode: "1011" },
    ...{ places: 120, streetOf: street },
  },
  {
    ...{ country: "LU", countryName: "Luxembourg", name: "Dudelange", lon: 6.088, lat: 49.48, postcode: "3403" },
    ...{ places: 90, streetOf: rue },
  },
  {
    ...{ country: "EE", countryName: "Estonia", name: "Tartu", lon: 26.722, lat: 58.378, postcode: "51003" },
    ...{ places: 60, streetOf: (word) => `${word} tänav` },
  },
  {
    ...{ country: "MT", countryName: "Malta", name: "Mosta", lon: 14.426, lat: 35.909, postcode: "MST1013" },
    ...{ places: 48, streetOf: (word) => `Triq ${word}` },
  },
  {
    ...{ country: "IS", countryName: "Iceland", name: "Akureyri", lon: -18.09, lat: 65.68, postcode: "600" },
    ...{ places: 40, streetOf: (word) => `${word}gata` },
  },
  {
    ...{ country: "AD", countryName: "Andorra", name: "les Escaldes", lon: 1.534, lat: 42.507, postcode: "AD700" },
    ...{ places: 32, streetOf: (word) => `Carrer ${word}` },
  },
  {
    ...{ country: "SM", countryName: "San Marino", name: "Serravalle", lon: 12.486, lat: 43.968, postcode: "47899" },
    ...{ places: 28, streetOf: (word) => `Via ${word}`, isAdded: true },
  },
  {
    ...{ country: "LI", countryName: "Liechtenstein", name: "Vaduz", lon: 9.521, lat: 47.141, postcode: "9490" },
    ...{ places: 24, streetOf: strasse, isAdded: true },
  },
];

const KINDS = [
  { name: "Hotel", category: "hotel" },
  { name: "Café", category: "cafe" },
  { name: "Museum", category: "museum" },
  { name: "Apotheke", category: "pharmacy" },
] as const;

const STREETS = 8;
const HOUSES = 12;

export interface MadePlace {
  readonly kind: "place";
  readonly name: string;
  readonly town: Town;
}

export interface MadeAddress {
  readonly kind: "address";
  readonly street: string;
  readonly number: string;
  readonly town: Town;
}

/** A unique word of three syllables for a number. */
function wordOf(number: number): string {
  const consonants = "bdfgklmnprst";
  const vowels = "aeiou";
  const syllables = consonants.length * vowels.length;
  let [left, word] = [(number * 7919 + 4201) % syllables ** 3, ""];
  for (let i = 0; i < 3; i++) {
    const syllable = left % syllables;
    left = Math.floor(left / syllables);
    word += `${consonants[syllable % consonants.length]}${vowels[Math.floor(syllable / consonants.length)]}`;
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the generated places. */
export function madePlaces(): readonly MadePlace[] {
  return TOWNS.flatMap((town, t) =>
    Array.from({ length: town.places }, (_, i): MadePlace => {
      const kind = KINDS[i % KINDS.length] ?? KINDS[0];
      // One name occurs in every town.
      return { kind: "place", name: `${kind.name} ${i === 0 ? "Post" : wordOf(1000 * t + i)}`, town };
    }),
  );
}

/** Returns the generated addresses. */
export function madeAddresses(): readonly MadeAddress[] {
  return TOWNS.flatMap((town, t) =>
    Array.from({ length: STREETS * HOUSES }, (_, i): MadeAddress => {
      const street = streetName(town, t, Math.floor(i / HOUSES));
      return { kind: "address", street, number: String(1 + (i % HOUSES)), town };
    }),
  );
}

function streetName({ streetOf }: Town, town: number, at: number): string {
  return streetOf(wordOf(100_000 + 100 * town + at));
}

/** About 100 metres. */
const STEP_DEG = 0.001;

function placeFeature({ name, town }: MadePlace, i: number): unknown {
  const { country, lon, lat, name: locality, countryName } = town;
  const [kind] = name.split(" ");
  const category = KINDS.find((each) => each.name === kind)?.category ?? "";
  return point(`p${i}`, lon + STEP_DEG * ((i % 16) - 8), lat + STEP_DEG * ((Math.floor(i / 16) % 16) - 8), {
    names: { primary: name },
    categories: { primary: category },
    addresses: [{ freeform: `${i} ${countryName}`, locality, country }],
    confidence: 0.9,
  });
}

function houseAt({ lon, lat }: Town, street: number, house: number): readonly [number, number] {
  return [lon + 0.0004 * house - 0.002, lat + STEP_DEG * street - 0.004];
}

function addressFeature({ street, number, town }: MadeAddress, i: number): unknown {
  const { country, name, postcode } = town;
  const [lon, lat] = houseAt(town, Math.floor(i / HOUSES) % STREETS, i % HOUSES);
  const address_levels = [{ value: name }];
  return point(`a${i}`, lon, lat + 0.00005, { country, street, number, postcode, address_levels });
}

function segmentFeature(town: Town, t: number, street: number): unknown {
  const coordinates = [houseAt(town, street, 0), houseAt(town, street, HOUSES)];
  const names = { primary: streetName(town, t, street) };
  const properties = { names, subtype: "road", class: "residential" };
  return { type: "Feature", id: `s${t}-${street}`, geometry: { type: "LineString", coordinates }, properties };
}

function divisionFeature({ country, countryName, name, lon, lat }: Town): unknown {
  const hierarchies = [[{ division_id: `d${country}`, subtype: "locality", name }]];
  const names = { primary: name, common: { en: name } };
  const properties = { country, subtype: "locality", names, population: 5000 + countryName.length, hierarchies };
  return point(`d${country}`, lon, lat, properties);
}

/** Returns the dataset's folder. Builds it at first use. */
export function buildManyCountries(): Promise<string> {
  const countries = TOWNS.map(({ country }) => `'${country}'`).join(", ");
  return buildInTheWorld({
    name: "many-countries",
    divisions: `country IN (${countries})`,
    features: () => ({
      place: madePlaces().map(placeFeature),
      address: madeAddresses().map(addressFeature),
      segment: TOWNS.flatMap((town, t) => Array.from({ length: STREETS }, (_, i) => segmentFeature(town, t, i))),
      division: TOWNS.filter(({ isAdded }) => isAdded).map(divisionFeature),
    }),
  });
}
