/**
 * SQL of `sources`: the sample's mix, with clearly synthetic names.
 * @module
 */
import type { Draws } from "./random.ts";

export interface SourceOptions {
  readonly draws: Draws;
  /** Draws of the row from this one on are used. */
  readonly firstDraw: number;
  /** SQL of the dataset's name in the sample. */
  readonly dataset: string;
  /** SQL of a DOUBLE. */
  readonly confidence?: string;
  /** `property` of the source; empty for the whole row. */
  readonly property?: string;
}

/** SQL of one source. */
export function sourceSql({
  draws,
  firstDraw,
  dataset,
  confidence = "NULL::DOUBLE",
  property = "",
}: SourceOptions): string {
  const day = `'2026-0' || (1 + ${draws.below(firstDraw, 8)}) || '-' || (10 + ${draws.below(firstDraw + 1, 18)}) || 'T00:00:00.000Z'`;
  return `struct_pack(property := '${property}', dataset := 'synthetic ' || ${dataset}, license := 'CC0-1.0',
    record_id := ${property === "" ? `hex(${draws.bits(firstDraw + 2)})` : "NULL::VARCHAR"}, update_time := ${day},
    confidence := ${confidence}, "between" := NULL::DOUBLE[])`;
}
