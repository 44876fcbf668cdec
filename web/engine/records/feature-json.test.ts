import { Utf8, vectorFromArray } from "apache-arrow";
import { expect, test } from "vitest";
import { COLLECTION_NAMES } from "../../../data/format/collections.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import { createJsonWriter } from "../arrow/json-writer.ts";
import { Utf8Writer } from "../arrow/utf8-writer.ts";
import type { Feature, FeatureJsonOptions, Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { openSample } from "../testing/sample.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function plainJson(features: Iterable<Feature>, { hasGeometry = true }: FeatureJsonOptions): string[] {
  return [...features].map((feature) => JSON.stringify(hasGeometry ? feature : { ...feature, geometry: null }));
}

test("features of every collection are written as by JSON.stringify", async () => {
  const { source } = await openSample();
  const dataset = openDataset({ source, decode: decodeParquet });
  const circle = { lon: 7.4246, lat: 43.7384, radiusMeters: 3000 };
  const choices: FeatureJsonOptions[] = [
    {},
    { properties: new Set(["ext_distance", "version", "names"]) },
    { properties: new Set(), hasGeometry: false },
  ];
  let written = 0;
  for (const collection of COLLECTION_NAMES) {
    for (const where of [{ circle }, { country: "MC" }, { country: "JP" }]) {
      const query: Query = { collections: [collection], ...where, offset: 0, limit: 200 };
      const result = await dataset.search(query);
      for (const options of choices) {
        const texts = [
          ...(function* () {
            for (const bytes of result.json(options)) yield decoder.decode(bytes);
          })(),
        ];
        expect(texts).toEqual(plainJson(result.features(options.properties), options));
        written += texts.length;
      }
    }
  }
  expect(written).toBeGreaterThan(3000);
});

/** Characters of one to four bytes, including all that JSON escapes. */
const ODD_CHARACTERS = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  ..."\u2028\u2029\ufeff\ufffd\uffff東🗺️\u{10ffff}",
];

const ODD_TEXTS = [
  "",
  '"',
  "\\",
  ...ODD_CHARACTERS,
  ...ODD_CHARACTERS.map((character, i) => `${character}${ODD_CHARACTERS[(i * 7) % ODD_CHARACTERS.length]}x`),
  ODD_CHARACTERS.join(""),
  "\u0001".repeat(5000),
];

test("unusual texts in a column with nulls are written as by JSON.stringify", () => {
  const texts = ODD_TEXTS.flatMap((text, i) => (i % 3 === 0 ? [text, null] : [text]));
  const [column] = vectorFromArray(texts, new Utf8()).data;
  if (!column) throw new Error("the vector has no data");
  const { isValid, write } = createJsonWriter(column);
  const read = createJsonReader(column);
  const out = new Utf8Writer();
  for (const [row, text] of texts.entries()) {
    expect(isValid?.(row)).toBe(text !== null);
    expect(read(row)).toBe(text);
    if (text === null) continue;
    write(row, out);
    expect(decoder.decode(out.take())).toBe(JSON.stringify(text));
  }
});

test("the writer accepts texts of any length, and half a surrogate pair like the encoder", () => {
  const texts = [...ODD_TEXTS, "a\ud83d", "\udc00b", "x".repeat(100_000), `${"x".repeat(70)}東`];
  const out = new Utf8Writer();
  for (const text of texts) {
    out.text(text);
    out.bytes(new TextEncoder().encode(text));
  }
  expect(decoder.decode(out.view)).toBe(
    decoder.decode(new TextEncoder().encode(texts.map((text) => text.toWellFormed() + text.toWellFormed()).join(""))),
  );
});
