/**
 * Tasks as job arrays.
 * @module
 */

/** Slurm's own limit on the numbers of an array, unless a site raised it. */
const ARRAY_NUMBERS = 1000;

export interface ArrayPart {
  /** To be added to the number of a task in the array. */
  readonly offset: number;
  /** As `sbatch --array` has it, such as `0-4,7`. */
  readonly indices: string;
}

/** The rising indices as arrays that no site refuses. */
export function arrayParts(indices: readonly number[]): ArrayPart[] {
  const parts = new Map<number, number[]>();
  for (const index of indices) {
    const offset = Math.floor(index / ARRAY_NUMBERS) * ARRAY_NUMBERS;
    const numbers = parts.get(offset) ?? [];
    numbers.push(index - offset);
    parts.set(offset, numbers);
  }
  return [...parts].map(([offset, numbers]) => ({ offset, indices: spellRanges(numbers) }));
}

function spellRanges(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
