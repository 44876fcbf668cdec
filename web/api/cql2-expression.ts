/**
 * The meaning of a CQL2 filter in either encoding, and code that both parsers share.
 * @module
 */
import { type Area, areaOfBox, parseArea } from "../../data/format/area.ts";
import { parseBBox } from "../search/index.ts";

export type Literal = string | number | boolean;

export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A parsed filter: basic CQL2, its advanced comparison operators, and the basic spatial function. */
export type Cql2 =
  | { readonly op: "and" | "or"; readonly args: readonly Cql2[] }
  | { readonly op: "not"; readonly arg: Cql2 }
  | { readonly op: "boolean"; readonly value: boolean }
  | { readonly op: Comparison; readonly property: string; readonly value: Literal }
  | { readonly op: "in"; readonly property: string; readonly values: readonly Literal[] }
  | { readonly op: "between"; readonly property: string; readonly low: number; readonly high: number }
  | { readonly op: "like"; readonly property: string; readonly pattern: string }
  | { readonly op: "isNull"; readonly property: string }
  | { readonly op: "s_intersects"; readonly property: string; readonly area: Area };

/** A CQL2 filter is invalid. The message says what was expected and received. */
export class CqlError extends Error {}

const COMPARISONS: ReadonlySet<string> = new Set<Comparison>(["=", "<>", "<", "<=", ">", ">="]);

/** Returns whether the operator is a comparison. */
export function isComparison(op: string): op is Comparison {
  return COMPARISONS.has(op);
}

const FLIPPED: Readonly<Record<Comparison, Comparison>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Returns the operator after its operands are swapped: for `value op property`, that of `property op value`. */
export function flipped(op: Comparison): Comparison {
  return FLIPPED[op];
}

const MAX_DEPTH = 100;
/** Maximum number of conditions of a filter, because each is tested for every row that is read. */
const MAX_CONDITIONS = 200;

/**
 * Returns counters for one filter. `condition` counts a condition, and `inside` runs work one level deeper. Both throw `CqlError`
 * above 200 conditions or 100 levels.
 */
export function createBounds(): { condition(): void; inside<T>(work: () => T): T } {
  let conditions = 0;
  let depth = 0;
  return {
    condition() {
      if (++conditions > MAX_CONDITIONS) throw new CqlError(`a filter has at most ${MAX_CONDITIONS} conditions`);
    },
    inside(work) {
      if (++depth > MAX_DEPTH) throw new CqlError(`parentheses are at most ${MAX_DEPTH} deep`);
      const result = work();
      depth--;
      return result;
    },
  };
}

const SHAPES = "POINT, POLYGON, MULTIPOLYGON or BBOX";

/**
 * Returns the area of a box: west, south, east, north in degrees, with commas between them. Of six numbers, the third and sixth
 * are heights and are ignored. Throws `CqlError` with the start of `written`, the filter's own text.
 */
export function areaOfNumbers(numbers: string, written: string): Area {
  const parts = numbers.split(",");
  // heights are ignored
  const flat = parts.length === 6 ? [0, 1, 3, 4].map((at) => parts[at]).join(",") : numbers;
  const box = parseBBox(flat);
  if (!box) throw new CqlError(`expected BBOX(west, south, east, north) in degrees, got ${written.slice(0, 100)}`);
  return areaOfBox(box);
}

/**
 * Returns the area of a GeoJSON Polygon, MultiPolygon or Point; a point is a box of size zero. Throws `CqlError` with the start
 * of `written`, the filter's own text.
 */
export function areaOfShape(geometry: unknown, written: string): Area {
  const { type, coordinates } = (typeof geometry === "object" && geometry !== null ? geometry : {}) as {
    readonly type?: unknown;
    readonly coordinates?: unknown;
  };
  if (type === "Point" && Array.isArray(coordinates)) {
    const [lon, lat] = coordinates as readonly unknown[];
    return areaOfNumbers([lon, lat, lon, lat].join(","), written);
  }
  try {
    return parseArea(geometry);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CqlError(`expected ${SHAPES}, got ${written.slice(0, 100)} (${why})`);
  }
}
