import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { csvFormat } from "../../../api/csv.ts";
import { GEOJSON_FORMAT, JSON_FORMAT } from "../../../api/formats.ts";
import type { Piece } from "../../../api/stream.ts";
import type { Feature } from "../../../engine/query.ts";
import { type ExportFormat, joinPages, restFormat } from "./export-pages.ts";

const WRITERS: Readonly<Record<ReturnType<typeof restFormat>, (features: readonly Feature[]) => Iterable<Piece>>> = {
  json: (features) => JSON_FORMAT.write(features),
  geojson: (features) => GEOJSON_FORMAT.write(features),
  csv: (features) => csvFormat({ collections: ["place"] }).write(features),
};

function feature(number: number): Feature {
  const names = { primary: `A "name", with\nlines ] and }\r\n${number}` };
  return {
    id: `id-${number}`,
    type: "Feature",
    geometry: { type: "Point", coordinates: [number, 1] },
    properties: { names },
  };
}

/** The text in pieces of that many characters. */
function* cut(text: string, chars: number): Generator<string> {
  for (let start = 0; start < text.length; start += chars) yield text.slice(start, start + chars);
}

async function* pagesOf(format: ExportFormat, pages: readonly (readonly Feature[])[], chars: number) {
  for (const page of pages) yield cut([...WRITERS[restFormat(format)](page)].join(""), chars);
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

const PAGES = {
  "no page": [],
  "one page": [[1, 2, 3]],
  "three pages": [[1, 2], [3, 4], [5]],
  "an empty page": [[]],
  "an empty last page": [[1], []],
};

describe.each(["json", "geojson", "csv"] as const)("pages of %s", (format) => {
  const filled = Object.entries(PAGES).filter(([name]) => format !== "csv" || name !== "no page");
  test.each(filled)("%s: joined as if written at once, wherever the pieces are cut", async (_, numbers) => {
    const pages = numbers.map((page) => page.map(feature));
    const atOnce = [...WRITERS[format](pages.flat())].join("");
    for (const chars of [1, 2, 3, 7, 41, 64, 1e6]) {
      expect(await joined(joinPages(format, pagesOf(format, pages, chars)))).toBe(atOnce);
    }
  });
});

test("a joined table reads back as its rows", async () => {
  const text = await joined(joinPages("csv", pagesOf("csv", [[feature(1)], [feature(2)]], 10)));
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.map(({ id, name }) => [id, name])).toEqual([
    ["id-1", nameOf(1)],
    ["id-2", nameOf(2)],
  ]);
});

function nameOf(number: number): string {
  return (feature(number).properties.names as { primary: string }).primary;
}

async function* texts(...pages: readonly string[]) {
  for (const page of pages) yield [page];
}

test.each<[ExportFormat, string[], RegExp]>([
  ["json", ['[{"id":"1"}'], /a page ends with .*, expected "\]\\n"/],
  ["json", ['[{"id":"1"}]\n', '{"statusCode":503}'], /a page begins with "\{", expected "\["/],
  ["geojson", ["<!doctype html>"], /a page begins with "<!doctype html>"/],
  ["csv", ["id,name\r\n1,a\r\n", "id,title\r\n2,b\r\n"], /a page has the columns "id,title", expected "id,name"/],
  ["csv", ["<!doctype html>"], /expected a line of columns/],
])("%s that is not whole is refused: %j", async (format, pages, message) => {
  await expect(joined(joinPages(format, texts(...pages)))).rejects.toThrow(message);
});
