/**
 * Finds the segments of a street by its name.
 * @module
 */
import { createPathReader } from "../../../data/format/wkb-paths.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { readPartitionPoints } from "../store/addressed-rows.ts";
import { wholeGeometry } from "../store/long-geometries.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms, candidateRows } from "../terms/conditions.ts";
import { firstFrom, type RowNumbers } from "../terms/posting-lists.ts";
import { isKind, isSmall, wholeWords } from "./street-words.ts";

/** Coordinates of a line, longitude and latitude in turn, in degrees. */
export type Line = Float64Array;

/**
 * Returns the sequences of words that can be the street name, the most likely first. If `isWhole`, all words are the name;
 * otherwise the last one or two may name the location, or `part` may be the name.
 */
export function streetNamesIn(
  words: readonly string[],
  { isWhole, part }: { readonly isWhole: boolean; readonly part: readonly string[] },
): readonly (readonly string[])[] {
  const shorter = isWhole ? [] : [words.slice(0, -1), words.slice(0, -2), part];
  const names = [words, ofOwnName(words), ...shorter].map(askedWords).filter(({ length }) => length > 0);
  return [...new Map(names.map((name) => [name.join(" "), name])).values()];
}

/** Returns the numbers of the segments whose names have the words. */
export async function segmentsNamed(session: Session, country: string, name: readonly string[]): Promise<RowNumbers> {
  const filters = { terms: name.map((word) => spellings(word).map((spelling) => `name:${spelling}`)) };
  if (!canAskTerms(session.manifest, "segment", country, filters)) return new Float64Array();
  return (await candidateRows({ session, collection: "segment", run: "term", country }, filters)).numbers;
}

/** Drops the kind of street, which people confuse (street or avenue). */
function ofOwnName(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isKind(word));
}

/** Drops articles, which are in every name and which people leave out. */
function askedWords(words: readonly string[]): readonly string[] {
  const own = words.filter((word) => !isSmall(word));
  return own.length > 0 ? own : words;
}

/** Spellings in names: the prefix of a short form would match too many. */
function spellings(word: string): readonly string[] {
  const wholes = wholeWords(word);
  return wholes.length > 1 ? wholes.filter((whole) => whole.length > 2) : wholes;
}

/** Returns the lines of those of the segments that are in the partition. */
export async function linesIn(session: Session, ref: PartitionRef<"location">, numbers: RowNumbers): Promise<Line[]> {
  const points = await readPartitionPoints(session, ref);
  const rows = Array.from({ length: points.rows }, (_, row) => row).filter((row) => {
    const number = points.number(row);
    return numbers[firstFrom(numbers, 0, number)] === number;
  });
  const own = await Promise.all(rows.map((row) => wholeGeometry(session, ref, points, row)));
  return own.flatMap(pathsOf);
}

/** Returns the lines of up to `most` of the segments, spread evenly over the list. Reads a block of records for each. */
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
