/** Nodes of positions that have no id. @module */
import type { OsmNode } from "./elements.ts";

/** Gives ids to positions: the same position is the same node, so that rings close. */
export class UnnamedNodes {
  private readonly ids = new Map<string, number>();
  private readonly add: (node: OsmNode) => void;
  /** Ids of OpenStreetMap are positive. */
  private next = -1;

  /** `add` takes the node of each new position. */
  constructor(add: (node: OsmNode) => void) {
    this.add = add;
  }

  /** Returns the id of the node at a position in degrees; an id without a node if there is no position. */
  idAt(lon: number, lat: number): number {
    if (Number.isNaN(lon) || Number.isNaN(lat)) return this.next--;
    const key = `${lat} ${lon}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.next--;
    this.ids.set(key, id);
    this.add({ id, lon, lat, tags: undefined });
    return id;
  }
}
