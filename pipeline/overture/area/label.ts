import type { BBox } from "../../../data/format/bbox.ts";
import type { AskedArea } from "../../../data/release/index.ts";

/** Describes an empty area in a message. */
export function labelOf(asked: AskedArea): string {
  switch (asked.kind) {
    case "box":
      return labelOfBox(asked.bbox);
    case "polygon":
      return asked.label;
    case "country":
      return `country ${asked.code}`;
    case "division":
      return `division ${asked.id}`;
    case "place":
      return `place ${asked.name}`;
  }
}

/** Prints the box. Suggests the box with latitude and longitude swapped, a frequent mistake. */
export function labelOfBox([west, south, east, north]: BBox): string {
  const box = `box ${[west, south, east, north].join(",")}`;
  const isSwappable = Math.abs(west) <= 90 && Math.abs(east) <= 90 && west <= east && south <= north;
  const order = "a box is west,south,east,north, longitude before latitude";
  return isSwappable
    ? `${box} (${order}; with both swapped it is ${[south, west, north, east].join(",")})`
    : `${box} (${order})`;
}
