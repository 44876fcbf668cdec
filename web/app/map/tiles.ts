/** MapLibre gets the tiles of the base map from the page worker, through a custom protocol. @module */
import { addProtocol } from "maplibre-gl";
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

/** Registers the protocol. */
export function serveTiles(): void {
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    const [map, of = "en", z, x, y] = url.slice(`${PROTOCOL}://`.length).split("/");
    const place = { z: Number(z), x: Number(x), y: Number(y) };
    await answerStands();
    await drawnFirst;
    signal.throwIfAborted();
    if (map === COVERAGE) return { data: await remote("coverageTile", { path: `/${of}`, ...place }, signal) };
    const address = { map: map === "world" ? "world" : "local", language: of, ...place } as const;
    return { data: await remote("tile", address, signal) };
  });
}
