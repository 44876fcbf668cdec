import { beforeAll, expect, test } from "vitest";
import { queryTermsOf } from "../../../data/format/fold.ts";
import {
  buildManyCountries,
  type MadeAddress,
  type MadePlace,
  madeAddresses,
  madePlaces,
  TOWNS,
} from "../../../pipeline/testing/many-countries.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type ByteSource, openDataset, type Suggestion, type SuggestQuery } from "../index.ts";
import { randomFrom } from "../testing/random.ts";
import { countingSource } from "../testing/sources.ts";
import { hasWords } from "./suggestion.ts";

let source: ByteSource;

beforeAll(async () => {
  source = folderSource(await buildManyCountries());
});

interface Question {
  readonly text: string;
  readonly isRight: (suggestion: Suggestion) => boolean;
}

const isOf = (country: string) => (found: Suggestion) => found.country === country && found.unused.length === 0;

const WAYS_OF_PLACES: readonly ((place: MadePlace) => string)[] = [
  ({ name }) => name,
  ({ name, town }) => `${name} ${town.name}`,
  ({ name, town }) => `${town.name}, ${name}`,
  ({ name, town }) => `${name}, ${town.name}, ${town.countryName}`,
  ({ name, town }) => `${name} ${town.countryName}`,
];

const WAYS_OF_ADDRESSES: readonly ((address: MadeAddress) => string)[] = [
  ({ street, number, town }) => `${street} ${number}, ${town.postcode} ${town.name}`,
  ({ street, number, town }) => `${number} ${street}, ${town.name}`,
  ({ street, number, town }) => `${street} ${number}, ${town.postcode} ${town.name}, ${town.countryName}`,
  ({ street, number }) => `${street} ${number}`,
  ({ street, town }) => `${street} ${town.name}`,
  ({ street }) => street,
];

function questions(): Question[] {
  const random = randomFrom(44_6);
  const [places, addresses] = [madePlaces(), madeAddresses()];
  const asked: Question[] = [];
  for (const town of TOWNS) {
    const own = places.filter((place) => place.town === town && !place.name.endsWith(" Post"));
    for (const write of WAYS_OF_PLACES) {
      for (let i = 0; i < 3; i++) {
        const place = random.of(own);
        const isThis = isOf(town.country);
        asked.push({ text: write(place), isRight: (found) => found.name === place.name && isThis(found) });
      }
    }
    const houses = addresses.filter((address) => address.town === town);
    for (const [way, write] of WAYS_OF_ADDRESSES.entries()) {
      for (let i = 0; i < 2; i++) {
        const address = random.of(houses);
        const { street, number } = address;
        const isThis = isOf(town.country);
        const hasStreet = ({ name }: Suggestion) => name.toLowerCase().includes(street.toLowerCase());
        const isHouse = ({ kind, name }: Suggestion) => kind === "address" && name.split(" ").includes(number);
        const isRoad = ({ kind }: Suggestion) => kind === "street";
        const isKind = way < 4 ? isHouse : isRoad;
        asked.push({ text: write(address), isRight: (found) => hasStreet(found) && isKind(found) && isThis(found) });
      }
    }
    asked.push({
      text: `hotel ${town.name}`,
      isRight: (found) => found.name.startsWith("Hotel ") && isOf(town.country)(found),
    });
  }
  return asked;
}

async function costOf(query: Partial<SuggestQuery> & { readonly text: string }) {
  const counting = countingSource(source);
  const dataset = openDataset({ source: counting, decode: decodeParquet });
  await dataset.manifest();
  counting.reset();
  const found = await dataset.suggest({ language: "en", limit: 5, ...query });
  const bytes = counting.requests.reduce((sum, request) => sum + request.bytes, 0);
  return { found, bytes, requests: counting.requests.length, roundTrips: counting.roundTrips };
}

/** Of 1.2 MB for the whole dataset. */
function expectFew(text: string, { bytes, requests, roundTrips }: Awaited<ReturnType<typeof costOf>>): void {
  const isFew = bytes <= 48_000 && requests <= 40 && roundTrips <= 12;
  expect(isFew, `${text}: ${bytes} bytes by ${requests} requests in ${roundTrips} round trips`).toBe(true);
}

test("without a position, places, streets and addresses of all countries are found by words, for few bytes", async () => {
  const asked = questions();
  expect(asked.length).toBeGreaterThan(240);
  const missed: string[] = [];
  for (const [i, { text, isRight }] of asked.entries()) {
    const cost = await costOf({ text, isTyped: i % 2 === 0 });
    expectFew(text, cost);
    if (cost.found.some(isRight)) continue;
    missed.push(`${text}: ${cost.found.map(({ kind, name, unused }) => `${kind} ${name} (${unused})`).join(" | ")}`);
  }
  expect(missed).toEqual([]);
});

test("far from a position, matches in other countries are found if there are no matches nearby", async () => {
  const random = randomFrom(44_7);
  const [berlin] = TOWNS;
  for (let i = 0; i < 12; i++) {
    const { name, town } = random.of(madePlaces().filter((place) => !place.name.endsWith(" Post")));
    const cost = await costOf({ text: name, near: berlin });
    expectFew(name, cost);
    expect(
      cost.found.some((found) => found.name === name && found.country === town.country),
      name,
    ).toBe(true);
  }
});

test("all rare places with the words are found in every country, the second time from memory", async () => {
  const random = randomFrom(44_8);
  const dataset = openDataset({ source, decode: decodeParquet });
  const limit = 50;
  const texts = ["Hotel Post", "post", ...Array.from({ length: 20 }, () => startOf(random.of(madePlaces()).name))];
  let compared = 0;
  for (const text of texts) {
    const words = queryTermsOf(text);
    const having = madePlaces().filter(({ name }) => hasWords(name, words));
    const suggestions = await dataset.suggest({ text, language: "en", limit });
    const found = suggestions.filter(({ kind, match }) => kind === "place" && match !== "misspelt");
    expect(await dataset.suggest({ text, language: "en", limit }), text).toEqual(suggestions);
    if (suggestions.length === limit) continue;
    const namesOf = (places: readonly { readonly name: string }[]) => places.map(({ name }) => name).sort();
    expect(namesOf(found), text).toEqual(namesOf(having));
    compared++;
  }
  expect(compared).toBeGreaterThan(15);
});

/** The kind and the first two to four letters of the name. */
function startOf(name: string): string {
  const [kind = "", word = ""] = name.split(" ");
  return `${kind} ${word.slice(0, 2 + (word.charCodeAt(2) % 3))}`;
}

test("a word without matches costs no more with many countries", async () => {
  for (const text of ["qxzzvw", "qxzzvw street 7", "hotel qxzzvw", "Qxzzvw 12, 9490 Vaduz, Liechtenstein"]) {
    const cost = await costOf({ text });
    expectFew(text, cost);
    for (const { unused } of cost.found) expect(unused.join(" ").toLowerCase(), text).toContain("qxzzvw");
  }
});
