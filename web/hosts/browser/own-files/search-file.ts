/** Searches in a file's rows, by the same distance, the same areas and the same words as searches in the dataset. @module */
import type { BBox } from "../../../../data/format/bbox.ts";
import { queryTermsOf, termsOf } from "../../../../data/format/fold.ts";
import { bboxOf } from "../../../../data/format/geometry.ts";
import { writeWkb } from "../../../../data/format/write-wkb.ts";
import { type Json, type Region, regionOf } from "../../../engine/index.ts";
import { type FileAnswer, type FileMatch, type FileQuestion, MOST_LISTED } from "../protocol/index.ts";
import type { FileRow } from "./file-rows.ts";

const NAME_COLUMNS = ["name", "title", "label", "nom", "nombre", "bezeichnung", "名前", "名称", "الاسم"];

interface IndexedRow extends FileRow {
  readonly bbox: BBox;
  readonly wkb: Uint8Array;
  readonly title: string | undefined;
}

export interface SearchableFile {
  readonly bbox: BBox;
  search(question: Omit<FileQuestion, "id">): FileAnswer;
}

export function createFileSearch(rows: readonly FileRow[]): SearchableFile {
  const indexed = rows.map((row): IndexedRow => {
    const bbox = bboxOf(row.geometry) ?? [0, 0, 0, 0];
    return { ...row, bbox, wkb: writeWkb(row.geometry), title: titleOf(row.properties) };
  });
  const bbox = bboxOf({ type: "GeometryCollection", geometries: rows.map(({ geometry }) => geometry) });
  return {
    bbox: bbox ?? [0, 0, 0, 0],
    search({ circle, area, name }) {
      const words = name === undefined ? [] : queryTermsOf(name);
      const region = regionOf({ ...(circle ? { circle } : {}), ...(area ? { area } : {}) });
      const matches: FileMatch[] = [];
      for (const [index, row] of indexed.entries()) {
        if (words.length > 0 && !hasWords(row, words)) continue;
        const distanceMeters = region && metersIn(region, row);
        if (region && distanceMeters === undefined) continue;
        matches.push({ row: index, title: row.title, ...(distanceMeters === undefined ? {} : { distanceMeters }) });
      }
      matches.sort((a, b) => (a.distanceMeters ?? 0) - (b.distanceMeters ?? 0) || a.row - b.row);
      return { total: matches.length, matches: matches.slice(0, MOST_LISTED) };
    },
  };
}

/** The distance of a row in the region; undefined for others. */
function metersIn(region: Region, { bbox, wkb }: IndexedRow): number | undefined {
  if (!region.reaches(bbox)) return undefined;
  const meters = region.metersOf(wkb, bbox);
  return meters === Number.POSITIVE_INFINITY ? undefined : meters;
}

function hasWords({ title, properties }: IndexedRow, words: readonly string[]): boolean {
  const names = [title, ...Object.values(membersOf(membersOf(properties.names).common))];
  return names.some((name) => {
    const terms = typeof name === "string" ? [...termsOf(name)] : [];
    return terms.length > 0 && words.every((word) => terms.some((term) => term.startsWith(word)));
  });
}

/** What the row is called: as in the dataset, else by a column that says so, else its first text. */
function titleOf(properties: FileRow["properties"]): string | undefined {
  const entries = Object.entries(properties);
  const named = NAME_COLUMNS.map((column) => entries.find(([key]) => key.trim().toLowerCase() === column)?.[1]);
  const texts = entries.map(([, value]) => value).filter((value) => typeof value === "string" && /\p{L}/u.test(value));
  const title = [membersOf(properties.names).primary, ...named, ...texts].find(isTitle);
  return title === undefined ? undefined : String(title);
}

function isTitle(value: Json | undefined): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function membersOf(value: Json | undefined): Readonly<Record<string, Json>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, Json>>) : {};
}
