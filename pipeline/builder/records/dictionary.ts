import { MAX_DICTIONARY_BYTES, withoutUuids } from "../../../data/format/records.ts";

/** Per record: the rest of a long record is of little use for others. */
const MOST_OF_A_RECORD = 1024;

/** Makes the compression dictionary of a collection from the prefixes of some JSON records. */
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
