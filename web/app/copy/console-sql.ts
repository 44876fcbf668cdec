/** The page's records as a statement for the SQL console. @module */
import { bboxUnion } from "../../../data/format/bbox.ts";
import { isOvertureType } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { quoteLiteral } from "../../../data/format/sql.ts";
import type { Feature } from "../../engine/index.ts";
import { boxesMeet } from "./sql.ts";

/** Longer statements are no reading. */
const MOST_IDS = 1000;

/** The statement that gives the records, in their order; of none, the search's own rows. Their boxes say what is to be read for it. */
export function rowsSql(records: readonly Pick<Feature, "id" | "geometry" | "properties">[]): string {
  const asked = records.slice(0, MOST_IDS);
  if (asked.length === 0) return "SELECT * FROM found";
  const types = [...new Set(asked.map(({ properties }) => String(properties.type)))].filter(isOvertureType);
  const ids = `[${asked.map(({ id }) => quoteLiteral(id)).join(", ")}]`;
  const rows = types.map((type) => {
    const boxes = asked
      .filter(({ properties }) => properties.type === type)
      .map(({ geometry }) => bboxOf(geometry))
      .filter((box) => box !== undefined);
    return `SELECT * FROM ${type} WHERE list_contains(${ids}, id) AND ${boxesMeet(bboxUnion(boxes))}`;
  });
  const all = rows.length === 1 ? rows[0] : `SELECT * FROM (\n${rows.join("\nUNION ALL BY NAME\n")}\n)`;
  return `${all}\nORDER BY list_position(${ids}, id)`;
}
