/**
 * Terms with their row numbers, encoded as in the run `term`.
 * @module
 */
import { ByteReader, ByteWriter, bytesOfVarint } from "../../../data/format/varint.ts";

/** Ascending row numbers, encoded as gaps. `base` is added to each. */
interface NumberList {
  readonly rows: number;
  readonly base: number;
  /** The last number, without the offset. */
  readonly last: number;
  readonly gaps: Uint8Array;
}

/** A term with the numbers of the rows that have it. */
export interface TermList {
  readonly term: string;
  /** The row numbers in parts; those of a later part are higher. */
  readonly parts: readonly NumberList[];
}

/** Returns the number of rows of a term. */
export function rowsOfList({ parts }: TermList): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the number of bytes that the row numbers take as one list of gaps, however many parts they have. */
export function bytesOfList({ parts }: TermList): number {
  let [bytes, before] = [0, -1];
  for (const { rows, base, last, gaps } of parts) {
    if (rows === 0) continue;
    const first = new ByteReader(gaps).varint();
    bytes += gaps.length - bytesOfVarint(first) + bytesOfVarint(base + first - before - 1);
    before = base + last;
  }
  return bytes;
}

/** Returns the row numbers of a term, ascending. */
export function numbersOfList(list: TermList): Float64Array {
  const numbers = new Float64Array(rowsOfList(list));
  let at = 0;
  for (const { rows, base, gaps } of list.parts) {
    const reader = new ByteReader(gaps);
    let number = base - 1;
    for (let row = 0; row < rows; row++) {
      number += reader.varint() + 1;
      numbers[at++] = number;
    }
  }
  return numbers;
}

/** Returns ascending numbers in encoded form. */
export function numberList(numbers: Iterable<number>): NumberList {
  const gaps = new ByteWriter();
  let [rows, last] = [0, -1];
  for (const number of numbers) {
    gaps.varint(number - last - 1);
    last = number;
    rows++;
  }
  return { rows, base: 0, last, gaps: gaps.bytes() };
}
