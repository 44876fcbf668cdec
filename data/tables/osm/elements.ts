/**
 * Elements of OpenStreetMap, and files of them.
 * @see https://wiki.openstreetmap.org/wiki/Elements @module
 */
import type { Position } from "../../format/geometry.ts";

export type OsmTags = Readonly<Record<string, string>>;

export type OsmKind = "node" | "way" | "relation";

/** A member of a relation: the kind and the id of an element. */
export interface OsmMember {
  readonly type: OsmKind;
  readonly ref: number;
  /** Ids of the nodes of a way, in an answer of Overpass with geometries (`out geom`). */
  readonly refs?: readonly number[];
}

export interface OsmNode {
  readonly id: number;
  readonly lon: number;
  readonly lat: number;
  /** Undefined for most nodes, which are only positions of ways. */
  readonly tags: OsmTags | undefined;
}

export interface OsmWay {
  readonly id: number;
  /** Ids of its nodes in order. */
  readonly refs: readonly number[];
  /** The middle of the way in an answer of Overpass (`out center`), for a way without all of its nodes. */
  readonly centre?: Position;
  readonly tags: OsmTags | undefined;
}

export interface OsmRelation {
  readonly id: number;
  readonly members: readonly OsmMember[];
  /** The middle of the relation in an answer of Overpass, for a relation without all of its ways. */
  readonly centre?: Position;
  readonly tags: OsmTags | undefined;
}

/** Elements that are in memory at the same time: one block of a PBF file, or all elements of a small file. */
export interface OsmBlock {
  readonly nodes: readonly OsmNode[];
  readonly ways: readonly OsmWay[];
  readonly relations: readonly OsmRelation[];
}

/** Bytes of a file on disk or in memory, which are read when they are needed. `end` is exclusive. */
export interface OsmBytes {
  readonly byteLength: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file of elements. Each call of `blocks` reads the file again. */
export interface OsmFile {
  readonly format: "osm-pbf" | "osm-xml" | "osm-json";
  /** What the file has that no block has. */
  readonly notes?: readonly string[];
  blocks(): AsyncIterable<OsmBlock>;
}

/** Returns the message for a file that has several versions of an object. `format` is its name in the message. */
export function historyIn(format: string): string {
  return `the ${format} file has the history of its objects: make an extract of one time with osmium time-filter`;
}
