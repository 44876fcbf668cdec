import { beforeAll, expect, test } from "vitest";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type ByteSource, type Dataset, openDataset, type SuggestQuery } from "../index.ts";
import { rewritten } from "../testing/as-typed.ts";
import { randomFrom } from "../testing/random.ts";
import { openSample, type Sample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";
import { readStoredRows } from "../testing/stored-rows.ts";
import { metersApart, type Point } from "./scope.ts";

const BOULDER = { lat: 40.0165, lon: -105.271 };
const MONACO = { lat: 43.7384, lon: 7.4246 };

type Random = ReturnType<typeof randomFrom>;

interface Row {
  readonly id: string;
  readonly street: string;
  readonly number: string;
  readonly unit: string | null;
  readonly postcode: string | null;
  readonly postal_city: string | null;
  readonly address_levels: readonly { readonly value: string }[] | null;
  readonly bbox: { readonly xmin: number; readonly ymin: number };
}

let sample: Sample;
let dataset: Dataset;
let inBoulder: Row[];
let inMonaco: Row[];

beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  const rows = await readStoredRows<Row>(sample.folder, "address");
  inBoulder = rows.filter(({ country }) => country === "US");
  inMonaco = rows.filter(({ country }) => country === "MC");
});

const suggest = (text: string, more: Partial<SuggestQuery> = {}) =>
  dataset.suggest({ text, language: "en", limit: 7, categories: true, ...more });

/** The files read only to find an address, in addition to the name lists that every text uses. */
const OF_STEP = /^(address\/|segment\/_(points|records|dictionary))/;

/** The cost of a first keystroke that asks for it: in total, and for the address alone. */
async function cold(text: string, near: Point | undefined) {
  const source = countingSource(sample.source);
  const fresh = openDataset({ source, decode: decodeParquet });
  await fresh.manifest();
  source.reset();
  const found = await fresh.suggest({ text, near, language: "en", limit: 7, categories: true });
  const bytesOf = (path: RegExp) =>
    source.requests.filter((request) => path.test(request.path)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { found, bytes: bytesOf(/./), stepBytes: bytesOf(OF_STEP), addressBytes: bytesOf(/^address\//) };
}

function typed({ street, number, postcode, postal_city: city, address_levels: levels }: Row, random: Random): string {
  return rewritten({ street, number, postcode: postcode ?? "", town: city ?? levels?.at(-1)?.value ?? "" }, random);
}

function around({ bbox }: Row, random: Random): Point {
  const [meters, angle] = [random.below(2000), (random.below(360) * Math.PI) / 180];
  const lat = bbox.ymin + (meters * Math.sin(angle)) / 111_195;
  return { lat, lon: bbox.xmin + (meters * Math.cos(angle)) / (111_195 * Math.cos((lat * Math.PI) / 180)) };
}

const LEAST_FOUND = 0.97;

/** Limits on the median and the maximum over all addresses. */
const HALF_BYTES = 80 * 1024;
const MOST_BYTES = 256 * 1024;

test("addresses as people write them are found, for few bytes", async () => {
  const random = randomFrom(39_1);
  const asked: { readonly isFound: boolean; readonly stepBytes: number }[] = [];
  for (const rows of [inBoulder, inMonaco]) {
    for (let i = 0; i < 80; i++) {
      const row = random.of(rows);
      const [text, near] = [typed(row, random), around(row, random)];
      const { found, stepBytes } = await cold(text, near);
      const [best] = found;
      const same = rows.filter(({ street, number }) => street === row.street && number === row.number);
      const isFound = same.some(({ bbox }) => best && metersApart(best, { lon: bbox.xmin, lat: bbox.ymin }) <= 50);
      asked.push({ isFound, stepBytes });
    }
  }
  const bytes = asked.map(({ stepBytes }) => stepBytes).sort((a, b) => a - b);
  expect(asked.filter(({ isFound }) => isFound).length / asked.length).toBeGreaterThanOrEqual(LEAST_FOUND);
  expect(bytes[bytes.length >> 1]).toBeLessThan(HALF_BYTES);
  expect(bytes.at(-1)).toBeLessThan(MOST_BYTES);
});

test("number, street, town and postcode are accepted in any order", async () => {
  for (const [text, near] of [
    ["1600 pearl", BOULDER],
    ["1600 Pearl St, Boulder", MONACO],
    ["Boulder, Pearl Street 1600", undefined],
    ["80302 1600 pearl", BOULDER],
    ["1600 pearl st boulder co 80302", BOULDER],
    ["pearl st. 1600", BOULDER],
    ["1600 pearl street apt 9999", BOULDER],
  ] as const) {
    const [best] = await suggest(text, { near });
    expect(best, text).toMatchObject({ kind: "address", collection: "address", name: "1600 Pearl St", match: "exact" });
    expect(best?.detail, text).toBe("Boulder 80302");
    expect(inBoulder.find(({ id }) => id === best?.id)?.number, text).toBe("1600");
  }
  for (const text of ["6 rue grimaldi monaco", "rue Grimaldi 6", "6, r. grimaldi 98000"]) {
    const [best] = await suggest(text, { near: MONACO });
    expect(best, text).toMatchObject({ kind: "address", name: "6 Rue Grimaldi", country: "MC", match: "exact" });
  }
});

test("a requested unit is found in most houses of at most a dozen units", async () => {
  const random = randomFrom(39_2);
  const unitsOf = (row: Row) =>
    inBoulder.filter(({ number, street }) => number === row.number && street === row.street);
  const units = inBoulder.filter((row) => /^(APT )?\d+$/.test(row.unit ?? "") && unitsOf(row).length <= 12);
  let found = 0;
  for (let i = 0; i < 10; i++) {
    const { number, street, unit } = random.of(units);
    const [best] = await suggest(`${number} ${street} apt ${unit?.replace("APT ", "")}`, { near: BOULDER });
    const row = inBoulder.find(({ id }) => id === best?.id);
    if (row?.unit === unit && row?.number === number) found++;
  }
  expect(found).toBeGreaterThanOrEqual(7);
});

test("for a missing number the neighbouring ones are suggested and marked as such", async () => {
  const there = new Set(inBoulder.filter(({ street }) => street === "PEARL ST").map(({ number }) => number));
  for (const number of ["1603", "1850", "2222"]) {
    expect(there.has(number)).toBe(false);
    const [best] = await suggest(`${number} pearl st`, { near: BOULDER });
    expect(best, number).toMatchObject({ kind: "address", match: "near-number" });
    expect(best?.name).toMatch(/^\d+ Pearl St$/);
    expect(Math.abs(Number.parseInt(best?.name ?? "", 10) - Number(number)), best?.name).toBeLessThan(50);
  }
  const [street] = await suggest("98765 pearl street", { near: BOULDER });
  expect(street).toMatchObject({ kind: "street", name: "Pearl Street", match: "part" });
});

test("houses of streets without a named segment are found if the text has a kind of street", async () => {
  for (const [text, near, name] of [
    ["1142 Flagstaff Rd, 80302", BOULDER, "1142 Flagstaff Rd"],
    ["34 b Quai Jean-Charles Rey", MONACO, "34 b Quai Jean-Charles Rey"],
    ["3 chemin de la rousse", MONACO, "3 Chemin de la Rousse"],
  ] as const) {
    expect((await suggest(text, { near }))[0], text).toMatchObject({ kind: "address", name, match: "exact" });
  }
});

test("without posting lists the segments of the street lead to the house", async () => {
  const source: ByteSource = {
    ...sample.source,
    async read(path, options) {
      const bytes = await sample.source.read(path, options);
      if (path !== "manifest.json") return bytes;
      const manifest = JSON.parse(new TextDecoder().decode(bytes));
      delete manifest.collections.address.runs.term;
      return writeManifestFile(manifest);
    },
  };
  const without = openDataset({ source, decode: decodeParquet });
  for (const [text, near, name] of [
    ["1600 pearl", BOULDER, "1600 Pearl St"],
    ["6 rue grimaldi monaco", MONACO, "6 Rue Grimaldi"],
  ] as const) {
    const [best] = await without.suggest({ text, near, language: "en", limit: 7 });
    expect(best, text).toMatchObject({ kind: "address", name, match: "exact" });
  }
});

test("a text without a number or without a street reads no addresses", async () => {
  for (const [text, near] of [
    ["pearl street", BOULDER],
    ["rue grimaldi monaco", MONACO],
    ["28th street", BOULDER],
    ["80302", BOULDER],
    ["24 hour fitness", BOULDER],
  ] as const) {
    expect((await cold(text, near)).addressBytes, text).toBe(0);
  }
});
