/** Which row groups of a file may hold wanted rows, by the statistics of the column `bbox`. @module */
import type { FileMetaData, RowGroup } from "hyparquet";
import type { BBox } from "../format/bbox.ts";

export interface PickedGroup {
  readonly index: number;
  readonly rows: number;
  /** Rows that are wanted, about. */
  readonly estimate: number;
}

/** `share` tells how much of a box is wanted. Groups without statistics are taken. */
export function pickGroups({ row_groups }: FileMetaData, share: (box: BBox) => number): PickedGroup[] {
  return row_groups.flatMap((group, index) => {
    const box = boxOfGroup(group);
    const part = box ? share(box) : 1;
    const rows = Number(group.num_rows);
    return part > 0 && rows > 0 ? [{ index, rows, estimate: Math.max(1, Math.min(rows, rows * part)) }] : [];
  });
}

function boxOfGroup(group: RowGroup): BBox | undefined {
  const [west, south] = [limitOf(group, "xmin", "min_value"), limitOf(group, "ymin", "min_value")];
  const [east, north] = [limitOf(group, "xmax", "max_value"), limitOf(group, "ymax", "max_value")];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  return [west, south, east, north];
}

function limitOf({ columns }: RowGroup, edge: string, limit: "min_value" | "max_value"): number | undefined {
  const column = columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === `bbox.${edge}`);
  const value = column?.meta_data?.statistics?.[limit];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
