/**
 * Positions of OpenStreetMap nodes by id, in typed arrays: 16 bytes per node.
 * @module
 */
import type { Position } from "../../format/geometry.ts";
import { firstIndex } from "../../format/sorted.ts";

const CHUNK_NODES = 65_536;
const UNITS_PER_DEGREE = 1e7;

interface Chunk {
  readonly ids: Float64Array;
  readonly lons: Int32Array;
  readonly lats: Int32Array;
  length: number;
}

/** Stores the positions of nodes, and finds them by id. */
export class NodePlaces {
  private chunks: Chunk[] = [];
  private last = Number.NEGATIVE_INFINITY;
  private isSorted = true;

  /** Adds the position of a node in degrees. Ignores a position that is not on the globe. */
  add(id: number, lon: number, lat: number): void {
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) return;
    let chunk = this.chunks.at(-1);
    if (!chunk || chunk.length === chunk.ids.length) {
      chunk = newChunk(CHUNK_NODES);
      this.chunks.push(chunk);
    }
    put(chunk, id, Math.round(lon * UNITS_PER_DEGREE), Math.round(lat * UNITS_PER_DEGREE));
    if (id <= this.last) this.isSorted = false;
    this.last = id;
  }

  /** Returns the position in degrees, longitude first; undefined for a node that was not added. */
  at(id: number): Position | undefined {
    if (!this.isSorted) this.sort();
    const chunk = this.chunks[firstIndex(this.chunks.length, (index) => (this.chunks[index]?.ids[0] ?? 0) > id) - 1];
    if (!chunk) return undefined;
    const index = firstIndex(chunk.length, (at) => (chunk.ids[at] ?? 0) > id) - 1;
    if (chunk.ids[index] !== id) return undefined;
    return [(chunk.lons[index] ?? 0) / UNITS_PER_DEGREE, (chunk.lats[index] ?? 0) / UNITS_PER_DEGREE];
  }

  /** Of nodes with the same id, the last one is kept. */
  private sort(): void {
    const all = newChunk(this.chunks.reduce((sum, { length }) => sum + length, 0));
    for (const { ids, lons, lats, length } of this.chunks)
      for (let at = 0; at < length; at++) put(all, ids[at] ?? 0, lons[at] ?? 0, lats[at] ?? 0);
    const idOf = (index: number | undefined) => all.ids[index ?? -1];
    const byId = Uint32Array.from({ length: all.length }, (_, index) => index)
      .sort((a, b) => (idOf(a) ?? 0) - (idOf(b) ?? 0) || a - b)
      .filter((index, at, sorted) => idOf(sorted[at + 1]) !== idOf(index));
    const whole = newChunk(byId.length);
    for (const index of byId) put(whole, all.ids[index] ?? 0, all.lons[index] ?? 0, all.lats[index] ?? 0);
    this.chunks = [whole];
    this.isSorted = true;
  }
}

function newChunk(length: number): Chunk {
  return { ids: new Float64Array(length), lons: new Int32Array(length), lats: new Int32Array(length), length: 0 };
}

function put(chunk: Chunk, id: number, lon: number, lat: number): void {
  chunk.ids[chunk.length] = id;
  chunk.lons[chunk.length] = lon;
  chunk.lats[chunk.length] = lat;
  chunk.length++;
}
