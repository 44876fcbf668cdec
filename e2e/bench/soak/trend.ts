/**
 * Whether what was measured over time stays flat.
 * @module
 */

/** Maximum growth in the second half of the run, as a share of the mean, that counts as constant. */
const MOST_GROWTH = 0.05;

export interface Sample {
  readonly minute: number;
  readonly searches: number;
  /** Measures by name. Names end in their unit, `MiB`. */
  readonly memory: Readonly<Record<string, number>>;
}

/** Formats the sample as one line. */
export function lineOf({ minute, searches, memory }: Sample): string {
  const parts = Object.entries(memory).map(([name, mebibytes]) => `${name} ${mebibytes.toFixed(1)}`);
  return [`minute ${minute.toFixed(1)}`, `searches ${searches}`, ...parts].join("  ");
}

/**
 * Prints the trend of each measure in the second half of the run, when caches are full. Returns true if all are
 * constant.
 */
export function judge(samples: readonly Sample[], names: readonly string[]): boolean {
  const trends = names.map((name) => ({ name, ...trendOf(samples, name) }));
  for (const { name, slope, growth } of trends) {
    console.log(`${name}: ${slope.toFixed(3)} MiB a minute, ${(growth * 100).toFixed(1)} % over the second half`);
  }
  return trends.every(({ growth }) => growth <= MOST_GROWTH);
}

/** Least squares over the second half: MiB per minute, and the growth as a share of the mean. */
export function trendOf(samples: readonly Sample[], name: string): { readonly slope: number; readonly growth: number } {
  const late = samples.slice(samples.length / 2);
  if (late.length < 2) throw new Error(`a trend needs four samples, got ${samples.length}`);
  const points = late.map(({ minute, memory }) => {
    const level = memory[name];
    if (level === undefined) throw new Error(`no ${name} at minute ${minute}`);
    return { minute, level };
  });
  const mean = (value: (point: { minute: number; level: number }) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const minute = mean((each) => each.minute);
  const level = mean((each) => each.level);
  const covariance = mean((each) => (each.minute - minute) * (each.level - level));
  const slope = covariance / mean((each) => (each.minute - minute) ** 2);
  const minutes = (points.at(-1)?.minute ?? 0) - (points[0]?.minute ?? 0);
  return { slope, growth: (slope * minutes) / level };
}
