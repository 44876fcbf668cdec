/** Checks of each collection. The manifest has one more. */
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

export interface CheckLine {
  readonly scope: string;
  readonly check: Check;
  readonly tested: number;
  readonly faults: readonly string[];
}

export interface Ledger {
  /** Records a check. The fault names the path. Returns `isRight`. */
  readonly expect: (scope: string, check: Check, isRight: boolean, fault: () => string) => boolean;
  readonly lines: () => CheckLine[];
}

/** Maximum faults per line, because a completely wrong dataset must not fill the memory. */
const MOST_FAULTS = 1000;

/** Creates an empty ledger. */
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

/** Subject of checks: a collection, or the complete dataset. */
export interface Scope {
  readonly ledger: Ledger;
  readonly dataset: string;
  readonly name: string;
}

/** Records checks of one subject, such as a path, which is the prefix of every fault. */
export function checksOf({ ledger, name }: Pick<Scope, "ledger" | "name">, subject: string): Checks {
  const say: Checks["say"] = (check, isRight, fault) =>
    ledger.expect(name, check, isRight, () => `${subject}: ${fault()}`);
  const same: Checks["same"] = (check, what, expected, got) =>
    say(check, JSON.stringify(expected) === JSON.stringify(got), () => `${what} ${expectedGot(expected, got)}`);
  return { say, same };
}

/** Returns the end of a fault: `expected .., got ..`, both as JSON. */
export function expectedGot(expected: unknown, got: unknown): string {
  return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
