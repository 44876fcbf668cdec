/** What was taken of a list, and what was not, both in its order. */
export interface Taken<T> {
  readonly taken: readonly T[];
  readonly left: readonly T[];
  readonly bytes: number;
}

/** As many items as the bytes allow, spread over the list: all of them where they fit. */
export function evenly<T>(items: readonly T[], maxBytes: number, bytesOf: (item: T) => number): Taken<T> {
  const isTaken = new Uint8Array(items.length);
  let bytes = 0;
  for (const place of spreadPlaces(items.length)) {
    const own = bytesOf(items[place] as T);
    if (bytes + own > maxBytes) continue;
    bytes += own;
    isTaken[place] = 1;
  }
  return {
    taken: items.filter((_, place) => isTaken[place]),
    left: items.filter((_, place) => !isTaken[place]),
    bytes,
  };
}

/** The places of a list so that the first few of them, however many, lie far apart. */
function* spreadPlaces(length: number): Generator<number, void, undefined> {
  const bits = Math.ceil(Math.log2(Math.max(1, length)));
  for (let i = 0; i < 2 ** bits; i++) {
    let place = 0;
    for (let bit = 0; bit < bits; bit++) place += Math.floor(i / 2 ** bit) % 2 ? 2 ** (bits - 1 - bit) : 0;
    if (place < length) yield place;
  }
}
