/** Addresses in the formats of ten countries, each in five styles. The generated rows are the oracle. */
import { beforeAll, expect, test } from "vitest";
import { addressesOfFormat, buildAddressFormats, FORMATS } from "../../../pipeline/testing/address-formats.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Dataset, openDataset } from "../index.ts";

const ADDRESSES = 500;
const LEAST_FIRST = 0.97;

let dataset: Dataset;

beforeAll(async () => {
  dataset = openDataset({ source: folderSource(await buildAddressFormats()), decode: decodeParquet });
});

test.each(FORMATS.map((format) => [format.country, format] as const))(
  "addresses of %s are first, as people write them",
  async (country, format) => {
    const addresses = addressesOfFormat(format).slice(0, ADDRESSES);
    expect(addresses.length).toBe(ADDRESSES);
    for (const [style, write] of format.styles.entries()) {
      const missed: string[] = [];
      for (const [i, address] of addresses.entries()) {
        const text = write(address, 1 + (i % 8));
        const [first] = await dataset.suggest({ text, language: "en", limit: 1 });
        if (first?.id !== address.id) missed.push(`${text}: ${first?.name}, ${first?.detail}`);
      }
      const first = 1 - missed.length / addresses.length;
      const told = `${country}, style ${style + 1}: ${(100 * first).toFixed(1)} % first; ${missed.slice(0, 5).join(" | ")}`;
      expect(first, told).toBeGreaterThanOrEqual(LEAST_FIRST);
    }
  },
  600_000,
);
