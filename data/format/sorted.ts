/** The first index below `length` for which the test holds, as for all after it; `length` when there is none. */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
