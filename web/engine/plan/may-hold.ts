/**
 * Whether rows of which a condition holds can stand below a node of the location run.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { BoxMember, Comparison, RowCondition } from "../contract/row-condition.ts";

/** A node: `bbox` holds the boxes of all its rows; a page tells no country. */
export interface RowsBelow {
  readonly bbox: BBox;
  readonly country?: string;
}

/** False only where no row below the node can fulfil the condition. */
export function mayHoldRows(condition: RowCondition, below: RowsBelow): boolean {
  if (condition.kind === "all") return condition.of.every((part) => mayHoldRows(part, below));
  if (condition.kind === "any") return condition.of.some((part) => mayHoldRows(part, below));
  const { bbox, country } = below;
  if (condition.kind === "crossing") return mayCross(bbox);
  if (condition.kind === "box") {
    return isWithin<number>(rangeOf(condition.member, bbox), condition.comparison, condition.value);
  }
  return country === undefined || isWithin<string>([country, country], condition.comparison, condition.value);
}

/** The least and the greatest that the member of a row's box can be. */
function rangeOf(member: BoxMember, bbox: BBox): readonly [number, number] {
  const [west, south, east, north] = bbox;
  if (member === "ymin" || member === "ymax") return [south, north];
  return mayCross(bbox) ? [-180, 180] : [west, east];
}

/** A box that crosses is wide itself, or makes the node's so. */
function mayCross([west, , east]: BBox): boolean {
  return west > east || (west <= -180 && east >= 180);
}

/** Whether a value of the range can compare so. */
function isWithin<T extends number | string>(
  [least, most]: readonly [T, T],
  comparison: Comparison,
  value: T,
): boolean {
  if (comparison === "=") return least <= value && most >= value;
  if (comparison === "!=") return least !== value || most !== value;
  if (comparison === "<") return least < value;
  if (comparison === "<=") return least <= value;
  return comparison === ">" ? most > value : most >= value;
}
