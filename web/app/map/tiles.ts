/** MapLibre gets the tiles of the base map from the page worker, through a custom protocol. @module */
import { addProtocol } from "maplibre-gl";
import { isPartError } from "../../hosts/browser/parts/index.ts";
import type { TileAddress } from "../../hosts/browser/protocol/index.ts";
import type { Path } from "../address/index.ts";
import { remote } from "../worker/index.ts";
import { answerStands } from "./answer-stands.ts";

const PROTOCOL = "cairn";
const COVERAGE = "coverage";

/** Returns the URL template of a map's tiles. */
export function tileUrl(map: TileAddress["map"], language: string): string {
  return `${PROTOCOL}://${map}/${language}/{z}/{x}/{y}`;
}

/** Returns the URL template of tiles that show where a path has data. */
export function coverageUrl(path: Path): string {
  return `${PROTOCOL}://${COVERAGE}/${path}/{z}/{x}/{y}`;
}

/** Circle and marks need no tile, but share MapLibre's worker with the tiles: they go first. */
let drawnFirst: Promise<unknown> = Promise.resolve();

/** Makes tiles wait until this settles. */
export function holdTiles(until: Promise<unknown>): void {
  drawnFirst = until;
}

let onLost = () => {};

/** Sets a listener for tile code that could not be loaded. */
export function followLostTiles(listener: () => void): void {
  onLost = listener;
}

/** Registers the protocol. */
export function serveTiles(): void {
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    await answerStands();
    await drawnFirst;
    signal.throwIfAborted();
    try {
      return { data: await ask(url, signal) };
    } catch (error) {
      if (isPartError(error)) onLost();
      throw error;
    }
  });
}

function ask(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const [map, of = "en", z, x, y] = url.slice(`${PROTOCOL}://`.length).split("/");
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  if (map === COVERAGE) return remote("coverageTile", { path: `/${of}`, ...tile }, signal);
  return remote("tile", { map: map === "world" || map === "places" ? map : "local", language: of, ...tile }, signal);
}
