import { MAX_DICTIONARY_BYTES, withoutUuids } from "../../data/format/records.ts";

/** Of one record: a long one teaches little of the others. */
const MOST_OF_A_RECORD = 1024;

/** What the records of a collection are compressed with: the beginnings of some of their JSON texts. */
export function makeDictionary(texts: Iterable<Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = MAX_DICTIONARY_BYTES;
  for (const text of texts) {
    const part = withoutUuids(text).subarray(0, Math.min(left, MOST_OF_A_RECORD));
    parts.push(part);
    left -= part.length;
    if (left === 0) break;
  }
  return Buffer.concat(parts);
}
