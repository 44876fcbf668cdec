/** Terms with the numbers of their rows. @module */
import { ByteReader, ByteWriter, bytesOfVarint } from "../../data/format/varint.ts";

/** Numbers of rows, rising: gaps as the term run has them, and what is to be added to all. */
export interface NumberList {
  readonly rows: number;
  readonly base: number;
  /** The last number, without the base. */
  readonly last: number;
  readonly gaps: Uint8Array;
}

export interface TermList {
  readonly term: string;
  /** One behind the other. */
  readonly parts: readonly NumberList[];
}

export function rowsOfList({ parts }: TermList): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** Bytes of the list's gaps as one; how it is parted does not matter. */
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
