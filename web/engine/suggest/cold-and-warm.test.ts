import { beforeAll, expect, test } from "vitest";
import { queryTermsOf } from "../../../data/format/fold.ts";
import { allNames, type TermColumns } from "../../../data/format/terms.ts";
import { buildManyCountries, madeAddresses, madePlaces, TOWNS } from "../../../pipeline/testing/many-countries.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type ByteSource, openDataset, type SuggestQuery } from "../index.ts";
import { misspell } from "../testing/as-typed.ts";
import { type Random, randomFrom } from "../testing/random.ts";
import { openSample } from "../testing/sample.ts";
import { readStoredRows } from "../testing/stored-rows.ts";

const MONACO = { lat: 43.7384, lon: 7.4246 };
const BOULDER = { lat: 40.0176, lon: -105.2797 };

type Asked = Pick<SuggestQuery, "text" | "near" | "country">;

let sample: ByteSource;
let names: readonly string[];
let manyCountries: ByteSource;

beforeAll(async () => {
  const { folder, source } = await openSample();
  sample = source;
  const rows = await Promise.all(
    (["place", "division"] as const).map((collection) => {
      return readStoredRows<{ readonly names: TermColumns["names"] }>(folder, collection);
    }),
  );
  names = rows.flatMap((own) => own.flatMap(({ names }) => allNames(names)[0] ?? []).slice(0, 4000));
  manyCountries = folderSource(await buildManyCountries());
});

/** The name with a wrong letter in one of its words. */
function wrong(name: string, random: Random): string {
  const words = queryTermsOf(name);
  const at = random.below(Math.max(1, words.length));
  return words.map((word, place) => (place === at && word.length > 3 ? misspell(word, random) : word)).join(" ");
}

function sampleTexts(): Asked[] {
  const random = randomFrom(45_1);
  const texts = Array.from({ length: 50 }, (): Asked => {
    const near = random.of([undefined, MONACO, BOULDER]);
    const text = wrong(random.of(names), random);
    return { text: random.below(3) === 0 ? `${text} ${random.of(["monaco", "boulder", "hotel"])}` : text, near };
  });
  const addresses = ["1600 pearl st 99999", "12 rue grimaldi monaco", "1777 brodway boulder", "11 goss street boulder"];
  return [
    ...texts,
    ...addresses.map((text) => ({ text, near: BOULDER })),
    ...["coffee", "hotell", "a", "st", "rue de la"].map((text) => ({ text, near: MONACO })),
    { text: "hotel near rue grimaldi", near: MONACO },
  ];
}

function textsOfManyCountries(): Asked[] {
  const random = randomFrom(45_2);
  return Array.from({ length: 50 }, (_, i): Asked => {
    const { street, number, town } = random.of(madeAddresses());
    const text = i % 3 === 0 ? `${street} ${number}, ${town.name}` : wrong(random.of(madePlaces()).name, random);
    return { text, near: random.of([undefined, random.of(TOWNS)]) };
  });
}

const open = (source: ByteSource) => openDataset({ source, decode: decodeParquet });
const ask = (dataset: ReturnType<typeof open>, asked: Asked) => dataset.suggest({ ...asked, language: "en", limit: 5 });

test.each([
  ["the sample", () => ({ source: sample, texts: sampleTexts() })],
  ["many countries", () => ({ source: manyCountries, texts: textsOfManyCountries() })],
])("of %s, a text has the same answer with nothing and with everything in memory", async (_, make) => {
  const { source, texts } = make();
  const warm = open(source);
  await warm.prefetchIndex({ maxBytes: Number.MAX_SAFE_INTEGER });
  // what other texts need is in memory too
  for (const asked of texts) await ask(warm, asked);
  let [answered, misspelt] = [0, 0];
  for (const asked of texts) {
    const cold = await ask(open(source), asked);
    expect(await ask(warm, asked), JSON.stringify(asked)).toEqual(cold);
    answered += Math.min(1, cold.length);
    misspelt += cold.some(({ match }) => match === "misspelt") ? 1 : 0;
  }
  expect(answered).toBeGreaterThan(30);
  expect(misspelt).toBeGreaterThan(10);
});
