/**
 * Returns the first index from 0 for which `isReached` is true, by binary search; `length` if there is none.
 * `isReached` must be true for all later indices, too.
 */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
