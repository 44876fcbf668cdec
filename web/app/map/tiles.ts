/** Gives MapLibre the tiles of the base map, which the page's worker makes, under URLs with their own scheme. @module */
import { addProtocol } from "maplibre-gl";
import { isPartError } from "../../hosts/browser/parts/index.ts";
import type { TileAddress } from "../../hosts/browser/protocol/index.ts";
import type { Path } from "../address/index.ts";
import { remote } from "../worker/index.ts";
import { answerStands } from "./answer-stands.ts";

const PROTOCOL = "cairn";
const COVERAGE = "coverage";

/** Returns the URL template of the tiles of a part of the base map, with names in the language. */
export function tileUrl(map: TileAddress["map"], language: string): string {
  return `${PROTOCOL}://${map}/${language}/{z}/{x}/{y}`;
}

/** Returns the URL template of the tiles that show where the dataset has records that the path searches. */
export function coverageUrl(path: Path): string {
  return `${PROTOCOL}://${COVERAGE}/${path}/{z}/{x}/{y}`;
}

/** What tiles wait for: circle and marks need no tiles, but share a worker of MapLibre with them. */
let drawnFirst: Promise<unknown> = Promise.resolve();

/** Makes all tiles wait until the promise settles. */
export function holdTiles(until: Promise<unknown>): void {
  drawnFirst = until;
}

let onLost = () => {};

/** Sets the function that is called when the code that makes tiles could not be loaded. */
export function followLostTiles(listener: () => void): void {
  onLost = listener;
}

/** Registers the scheme of the URLs with MapLibre. Tiles wait for a running search. */
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
