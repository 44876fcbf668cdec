/** Addresses in the formats of ten countries, each in five styles. The generated rows are the oracle. */
import { beforeAll, expect, test } from "vitest";
import { addressesOfFormat, buildAddressFormats, FORMATS } from "../../../pipeline/testing/address-formats.ts";
import { importCategoryWords, importIntentWords } from "../../hosts/category-words/index.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Dataset, openDataset } from "../index.ts";

const ADDRESSES = 500;
/** CI asks for every fifth address. CAIRN_TEST_ADDRESSES=all asks for all, which takes about 15 minutes. */
const STEP = process.env.CAIRN_TEST_ADDRESSES === "all" ? 1 : 5;
const LEAST_FIRST = 0.97;

let dataset: Dataset;

beforeAll(async () => {
  dataset = openDataset({
    source: folderSource(await buildAddressFormats()),
    decode: decodeParquet,
    intentWords: importIntentWords,
    categoryWords: importCategoryWords,
  });
});

test.each(FORMATS.map((format) => [format.country, format] as const))(
  "addresses of %s are first, as people write them",
  async (country, format) => {
    const addresses = addressesOfFormat(format)
      .slice(0, ADDRESSES)
      .filter((_, i) => i % STEP === 0);
    expect(addresses.length).toBe(ADDRESSES / STEP);
    for (const [style, write] of format.styles.entries()) {
      const missed: string[] = [];
      for (const [i, address] of addresses.entries()) {
        const text = write(address, 1 + (i % 8));
        const [first] = await dataset.suggest({ text, language: "en", limit: 1 });
        if (first?.id !== address.id) missed.push(`${text}: ${first?.name}, ${first?.detail}`);
      }
      const first = 1 - missed.length / addresses.length;
      const line = `${country}, style ${style + 1}: ${(100 * first).toFixed(1)} % first; ${missed.slice(0, 5).join(" | ")}`;
      expect(first, line).toBeGreaterThanOrEqual(LEAST_FIRST);
    }
  },
  600_000,
);

test("the category of an intent is before a town with the name of one of its words", async () => {
  const asked = { near: { lat: 40.015, lon: -105.27 }, language: "en", limit: 5, categories: true };
  for (const text of ["flat tyre", "my tyre is flat", "flat tyr"]) {
    const found = await dataset.suggest({ ...asked, text });
    expect(found[0], text).toMatchObject({ kind: "category", match: "intent", unused: [] });
  }
  const named = await dataset.suggest({ ...asked, text: "tyre" });
  expect(named[0]).toMatchObject({ kind: "division", name: "Tyre", match: "exact" });
});
