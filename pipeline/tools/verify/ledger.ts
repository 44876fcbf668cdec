/** Names of the checks of a collection, in the order of the report. */
export const CHECKS = [
  "index",
  "files",
  "packs",
  "columns",
  "metadata",
  "row groups",
  "row counts",
  "order",
  "geohash",
  "bbox",
  "ids",
  "points",
  "records",
  "terms",
  "tables",
  "counts",
] as const;
const ALL_CHECKS = ["signature", ...CHECKS] as const;
export type Check = (typeof ALL_CHECKS)[number];

/** Result of one check of one scope. `tested` is the number of tests. */
export interface CheckLine {
  readonly scope: string;
  readonly check: Check;
  readonly tested: number;
  readonly faults: readonly string[];
}

/** Collects the results of checks. */
export interface Ledger {
  /** Records one test of a check, with the text of its fault if `isRight` is false. Returns `isRight`. */
  readonly expect: (scope: string, check: Check, isRight: boolean, fault: () => string) => boolean;
  /** Returns one line for each scope and check, with the number of tests and at most 1,001 faults. */
  readonly lines: () => CheckLine[];
}

/** Faults per line at most, because those of a completely wrong dataset would fill the memory. */
const MOST_FAULTS = 1000;

/** Creates an empty ledger, which collects the results of checks. */
export function createLedger(): Ledger {
  const scopes = new Map<string, Map<Check, { tested: number; left: number; faults: string[] }>>();
  return {
    expect: (scope, check, isRight, fault) => {
      const checks = scopes.get(scope) ?? new Map();
      scopes.set(scope, checks);
      const line = checks.get(check) ?? { tested: 0, left: 0, faults: [] };
      checks.set(check, line);
      line.tested++;
      if (!isRight && line.faults.length < MOST_FAULTS) line.faults.push(fault());
      else if (!isRight) line.left++;
      return isRight;
    },
    lines: () =>
      [...scopes].flatMap(([scope, checks]) =>
        ALL_CHECKS.flatMap((check) => {
          const line = checks.get(check);
          if (!line) return [];
          const more = line.left === 0 ? [] : [`${scope}: ${line.left} more faults of ${check}`];
          return [{ scope, check, tested: line.tested, faults: [...line.faults, ...more] }];
        }),
      ),
  };
}

interface Checks {
  readonly say: (check: Check, isRight: boolean, fault: () => string) => boolean;
  readonly same: (check: Check, what: string, expected: unknown, got: unknown) => boolean;
}

/** What is checked: a collection, or the complete dataset. */
export interface Scope {
  readonly ledger: Ledger;
  readonly dataset: string;
  readonly name: string;
}

/**
 * Returns functions that record tests about one subject, such as a path. Each fault begins with the subject. `same`
 * compares values as JSON.
 */
export function checksOf({ ledger, name }: Pick<Scope, "ledger" | "name">, subject: string): Checks {
  const say: Checks["say"] = (check, isRight, fault) =>
    ledger.expect(name, check, isRight, () => `${subject}: ${fault()}`);
  const same: Checks["same"] = (check, what, expected, got) =>
    say(check, JSON.stringify(expected) === JSON.stringify(got), () => `${what} ${expectedGot(expected, got)}`);
  return { say, same };
}

/** Returns the text `expected .., got ..` with both values as JSON. */
export function expectedGot(expected: unknown, got: unknown): string {
  return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
