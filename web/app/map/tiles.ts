/** MapLibre gets the basemap's tiles from the page's worker, by a protocol of our own. @module */
import { addProtocol } from "maplibre-gl";
import type { TileAddress } from "../../hosts/browser/protocol/index.ts";
import { remote } from "../worker/index.ts";
import { answerStands } from "./answer-stands.ts";

const PROTOCOL = "cairn";

/** The template of a map's tile addresses. */
export function tileUrl(map: TileAddress["map"], language: string): string {
  return `${PROTOCOL}://${map}/${language}/{z}/{x}/{y}`;
}

/** Makes MapLibre ask the worker for them. */
export function serveTiles(): void {
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    const [map, language = "en", z, x, y] = url.slice(`${PROTOCOL}://`.length).split("/");
    const place = { z: Number(z), x: Number(x), y: Number(y) };
    const address = { map: map === "world" ? "world" : "local", language, ...place } as const;
    await answerStands();
    signal.throwIfAborted();
    return { data: await remote("tile", address, signal) };
  });
}
