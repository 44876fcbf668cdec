import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Feature } from "../../../engine/index.ts";
import { type FileFault, MOST_FILE_ROWS } from "../protocol/index.ts";
import { isOnGlobe } from "./parse-geometry.ts";

export type FileRow = Pick<Feature, "geometry" | "properties">;

export interface FileRows {
  readonly rows: readonly FileRow[];
  readonly leftOut: number;
}

export class FileError extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(`file refused: ${fault.code}`);
    this.fault = fault;
  }
}

interface Reading<T> {
  readonly items: readonly T[];
  readonly geometry: (item: T) => Geometry | undefined;
  readonly properties: (item: T) => FileRow["properties"];
}

/** Returns the items on the globe. Throws `FileError` when there are too many, or no items. */
export function takeRows<T>({ items, geometry, properties }: Reading<T>): FileRows {
  if (items.length > MOST_FILE_ROWS) throw new FileError({ code: "rows", rows: items.length });
  const rows: FileRow[] = [];
  for (const item of items) {
    const place = geometry(item);
    if (place && isOnGlobe(place)) rows.push({ geometry: place, properties: properties(item) });
  }
  const leftOut = items.length - rows.length;
  if (rows.length === 0) throw new FileError({ code: "empty", leftOut });
  return { rows, leftOut };
}
