/** Searches the rows of a file, with the same distance, areas, words and terms as searches in the dataset. @module */
import type { BBox } from "../../../../data/format/bbox.ts";
import { termsOf } from "../../../../data/format/fold.ts";
import { bboxOf } from "../../../../data/format/geometry.ts";
import { splitTerm } from "../../../../data/format/terms.ts";
import { writeWkb } from "../../../../data/format/write-wkb.ts";
import { eachInTurn, preparedRegionOf, type Query, type Region } from "../../../engine/index.ts";
import type { ColumnUse, FileAnswer, FileMatch } from "../protocol/index.ts";
import type { FileRow } from "./read-file.ts";
import {
  columnsOf,
  countryOf,
  type FileColumns,
  type FileFacet,
  facetValuesOf,
  namesOf,
  numberOf,
  titleOf,
} from "./row-columns.ts";

/** The conditions of a query that apply to files. */
export type FileSearch = Pick<Query, "circle" | "area" | "country"> & {
  readonly filters?: Pick<NonNullable<Query["filters"]>, "terms" | "atLeast" | "atMost" | "orUnknown">;
};

interface IndexedRow extends FileRow {
  readonly bbox: BBox;
  readonly wkb: Uint8Array;
  readonly title: string | undefined;
}

export type SearchableFile = ReturnType<typeof createFileSearch>;

/** Returns a search in the rows. It indexes all of them at once, which blocks the thread for a large file. */
export function createFileSearch(rows: readonly FileRow[]) {
  const columns = columnsOf(rows);
  const indexed = rows.map((row): IndexedRow => {
    const bbox = bboxOf(row.geometry) ?? [0, 0, 0, 0];
    return { ...row, bbox, wkb: writeWkb(row.geometry), title: titleOf(row.properties, columns) };
  });
  const bbox: BBox = bboxOf({ type: "GeometryCollection", geometries: rows.map(({ geometry }) => geometry) }) ?? [
    0, 0, 0, 0,
  ];
  return {
    bbox,
    columns,
    /** Returns all matches by distance, then in file order. */
    async search(question: FileSearch, signal?: AbortSignal): Promise<FileAnswer> {
      const { circle, area, country } = question;
      const region = await preparedRegionOf({ ...(circle ? { circle } : {}), ...(area ? { area } : {}) }, signal);
      const { tests, unasked } = testsOf(question, columns);
      const matches: FileMatch[] = [];
      let unplaced = 0;
      await eachInTurn(indexed, (row, index) => {
        signal?.throwIfAborted();
        const distanceMeters = region && metersIn(region, row);
        if (region && distanceMeters === undefined) return;
        if (!tests.every((test) => test(row.properties))) return;
        const code = country === undefined ? undefined : countryOf(row.properties, columns);
        if (code !== undefined && code !== country) return;
        if (country !== undefined && code === undefined) unplaced++;
        matches.push({ row: index, title: row.title, ...(distanceMeters === undefined ? {} : { distanceMeters }) });
      });
      matches.sort((a, b) => (a.distanceMeters ?? 0) - (b.distanceMeters ?? 0) || a.row - b.row);
      return { total: matches.length, matches, unasked, unplaced };
    },
  };
}

type Test = (properties: FileRow["properties"]) => boolean;

/** Returns a test for each filter for which the file has a column, and the list of the other filters. */
function testsOf({ country, filters = {} }: FileSearch, columns: FileColumns) {
  const { terms = [], atLeast = {}, atMost = {}, orUnknown = [] } = filters;
  const tests: Test[] = [];
  const unasked = new Set<ColumnUse>();
  if (country !== undefined && !columns.uses.has("country")) unasked.add("country");
  for (const list of terms) {
    const wanted = list.map(splitTerm);
    const [facet] = wanted.map((term) => term.facet);
    if (facet === undefined) continue;
    const values = wanted.map(({ value }) => value);
    if (facet === "name") tests.push((properties) => hasWord(namesOf(properties, columns), values));
    // a file has no columns of a collection
    else if (facet === "column") tests.push(() => false);
    else if (columns.uses.has(facet)) tests.push((properties) => hasValue(properties, facet, { columns, values }));
    else unasked.add(facet);
  }
  const bounds = (asked: Readonly<Record<string, number>>, isMet: (value: number, bound: number) => boolean): void => {
    for (const [column, bound] of Object.entries(asked)) {
      const named = columns.uses.get(column as ColumnUse);
      if (!named) unasked.add(column as ColumnUse);
      else {
        tests.push((properties) => {
          const value = numberOf(properties, named);
          return value === undefined ? orUnknown.includes(column) : isMet(value, bound);
        });
      }
    }
  };
  bounds(atLeast, (value, least) => value >= least);
  bounds(atMost, (value, most) => value <= most);
  return { tests, unasked: [...unasked] };
}

function hasValue(
  properties: FileRow["properties"],
  facet: FileFacet,
  { columns, values }: { readonly columns: FileColumns; readonly values: readonly string[] },
): boolean {
  const own = facetValuesOf(facet, properties, columns);
  return values.some((value) => own.has(value));
}

function hasWord(names: readonly string[], prefixes: readonly string[]): boolean {
  return names.some((name) => [...termsOf(name)].some((term) => prefixes.some((word) => term.startsWith(word))));
}

function metersIn(region: Region, { bbox, wkb }: IndexedRow): number | undefined {
  if (!region.reaches(bbox)) return undefined;
  const meters = region.metersOf(wkb, bbox);
  return meters === Number.POSITIVE_INFINITY ? undefined : meters;
}
