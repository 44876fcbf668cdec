import { expect, test } from "vitest";
import { joinRanges } from "../../hosts/http/join-ranges.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { openDataset } from "../index.ts";
import { openSample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";

const MONACO = { lat: 43.7384, lon: 7.4246 };
const BOULDER = { lat: 40.0176, lon: -105.2797 };
const FIRST_LETTERS = 3;

const TYPED = [
  { name: "Amritsar", near: undefined },
  { name: "Dehradun", near: undefined },
  { name: "Croix-des-Bouquets", near: undefined },
  { name: "Manchester", near: undefined },
  { name: "Bahir Dar", near: undefined },
  { name: "Toulouse", near: undefined },
  { name: "Kathmandu", near: undefined },
  { name: "Buenos Aires", near: undefined },
  { name: "Pearl Street", near: BOULDER },
  { name: "Canyon Boulevard", near: BOULDER },
  { name: "Avenue Princesse Grace", near: MONACO },
  { name: "Angra dos Reis", near: undefined },
  { name: "Sky Plaza", near: BOULDER },
  { name: "Dallas Place", near: BOULDER },
  { name: "Boulder Bookstore", near: BOULDER },
  { name: "Bluebell Avenue", near: BOULDER },
  { name: "Rue Grimaldi", near: MONACO },
  { name: "Casino de Monte-Carlo", near: MONACO },
  { name: "Virage", near: MONACO },
] as const;

/** As a host sends it to a user whose page is open: the manifest is in memory, and what earlier letters read. */
async function keystrokes() {
  const { source: inner } = await openSample();
  const costs: { readonly text: string; readonly bytes: number; readonly roundTrips: number }[] = [];
  for (const { name, near } of TYPED) {
    const source = countingSource(inner);
    const dataset = openDataset({ source: joinRanges(source), decode: decodeParquet });
    await dataset.manifest();
    for (let letters = FIRST_LETTERS; letters <= name.length; letters++) {
      const text = name.slice(0, letters);
      source.reset();
      await dataset.suggest({ text, near, language: "en", limit: 5, categories: true, isTyped: true });
      const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
      costs.push({ text, bytes, roundTrips: source.roundTrips });
    }
  }
  return costs;
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Half of these names are among the costliest of the benchmark. */
test("nine of ten keystrokes of costly names read at most 70 KB", async () => {
  const costs = await keystrokes();
  const bytes = costs.map((one) => one.bytes);
  expect(percentile(bytes, 0.5)).toBeLessThanOrEqual(10_000);
  expect(percentile(bytes, 0.9)).toBeLessThanOrEqual(70_000);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(155_000);
  const roundTrips = costs.map((one) => one.roundTrips);
  expect(percentile(roundTrips, 0.9)).toBeLessThanOrEqual(4);
});

test("a name of two or three letters is found while it is typed, without a position", async () => {
  const dataset = openDataset({ source: (await openSample()).source, decode: decodeParquet });
  for (const text of ["BMW", "UBS", "FXB", "AAA"]) {
    const found = await dataset.suggest({ text, language: "en", limit: 8, categories: true, isTyped: true });
    const places = found.filter(({ kind }) => kind === "place").map(({ name }) => name.toUpperCase());
    expect(places, text).toContain(text);
  }
});
