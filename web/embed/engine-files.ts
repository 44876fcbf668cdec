/**
 * Files of the engine as text in separate scripts: bundlers include scripts, but do not copy files that scripts
 * fetch. @module
 */
import { loadPart } from "../hosts/browser/parts/index.ts";
import type { MapPart } from "../hosts/browser/protocol/index.ts";

const FILES = {
  reader: () => loadPart(() => import("virtual:shipped-files/parquetWasm")),
  world: () => loadPart(() => import("virtual:shipped-files/world")),
} as const satisfies Record<MapPart, unknown>;

export async function loadEngineFile(name: MapPart): Promise<string> {
  return (await FILES[name]()).default;
}
