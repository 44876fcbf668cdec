/**
 * Files of the engine as text in separate scripts: bundlers include scripts, but do not copy files that scripts
 * fetch. @module
 */
import type { MapPart } from "../hosts/browser/protocol/index.ts";

const PARTS = {
  reader: () => import("virtual:shipped-files/parquetWasm"),
  world: () => import("virtual:shipped-files/world"),
} as const satisfies Record<MapPart, unknown>;

/** Loads a part as text. */
export async function loadPart(name: MapPart): Promise<string> {
  return (await PARTS[name]()).default;
}
