/**
 * The segments of a street, told by its name.
 * @module
 */
import { createPathReader } from "../../../data/format/wkb-paths.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { readNumbered, readNumberedPoints } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms, rowsTold } from "../terms/conditions.ts";
import { firstFrom, type RowNumbers } from "../terms/posting-lists.ts";
import { isKind, isSmall, wholeWords } from "./street-words.ts";

/** Longitude and latitude in turn. */
export type Line = Float64Array;

/** Which of the words may be the street's name, the likeliest first; unless all of them are, the last may tell where it lies. */
export function streetNamesIn(words: readonly string[], isWhole: boolean): readonly (readonly string[])[] {
  const shorter = isWhole ? [] : [words.slice(0, -1), words.slice(0, -2)];
  const names = [words, ofOwnName(words), ...shorter].map(askedWords).filter(({ length }) => length > 0);
  return [...new Map(names.map((name) => [name.join(" "), name])).values()];
}

/** Numbers of the segments whose names have the words. */
export async function segmentsNamed(session: Session, country: string, name: readonly string[]): Promise<RowNumbers> {
  const filters = { terms: name.map((word) => spellings(word).map((spelling) => `name:${spelling}`)) };
  if (!canAskTerms(session.manifest, "segment", country, filters)) return new Float64Array();
  return (await rowsTold({ session, collection: "segment", run: "term", country }, filters)).numbers;
}

/** Who does not know whether it is a street or an avenue. */
function ofOwnName(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isKind(word));
}

/** Articles stand in every name, and people leave them out. */
function askedWords(words: readonly string[]): readonly string[] {
  const own = words.filter((word) => !isSmall(word));
  return own.length > 0 ? own : words;
}

/** As it may be written in names: a short form's beginning would be that of too many. */
function spellings(word: string): readonly string[] {
  const wholes = wholeWords(word);
  return wholes.length > 1 ? wholes.filter((whole) => whole.length > 2) : wholes;
}

/** Lines of those of the segments that are in the slice. */
export async function linesIn(session: Session, ref: PartitionRef<"location">, numbers: RowNumbers): Promise<Line[]> {
  const points = await readNumberedPoints(session, ref);
  const lines: Line[] = [];
  for (let row = 0; row < points.rows; row++) {
    const number = points.number(row);
    if (numbers[firstFrom(numbers, 0, number)] === number) lines.push(...pathsOf(points.geometry(row)));
  }
  return lines;
}

/** Lines of so many of the segments, from all over the list: a block of records each. */
export async function linesOfSome(session: Session, numbers: RowNumbers, most: number): Promise<Line[]> {
  const step = Math.max(1, numbers.length / most);
  const some = numbers.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  const rows = await readNumbered(session, "segment", some);
  return rows.flatMap(({ rows: own, row }) => pathsOf(own.geometry(row)));
}

function pathsOf(geometry: Uint8Array): Line[] {
  const lines: Line[] = [];
  createPathReader((kind, coordinates, count) => {
    if (kind === "line") lines.push(coordinates.slice(0, 2 * count));
  })(geometry);
  return lines;
}
