/** A record's URL in the page, `#/place/<id>`, and in the REST interface. @module */
import { isOvertureType } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, coordinate } from "./coordinates.ts";
import { pathOfType } from "./paths.ts";

export interface RecordAddress {
  /** Type of Overture such as `place`, or the name of a collection with its own schema. */
  readonly type: string;
  readonly id: string;
  /** Representative point of the record, if known. Offline, the point says in which partition the record is. */
  readonly at?: Centre | undefined;
}

/**
 * Returns whether the type is one of Overture, or can be the name of a collection with its own schema. Whether the dataset has
 * that collection is not checked.
 */
export function isRecordType(type: string): boolean {
  return isOvertureType(type) || isOwnName(type);
}

/** Parses type and id from a hash `#/type/id`, without the point; undefined for other hashes. */
export function parseRecordAddress(hash: string): RecordAddress | undefined {
  const [, type = "", id = ""] = /^#\/([a-z_]+)\/([^?]+)/.exec(hash) ?? [];
  if (!isRecordType(type)) return undefined;
  try {
    return { type, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** Returns the hash `#/type/id`, with `?at=lat,lon` if the point is known. */
export function formatRecordAddress({ type, id, at }: RecordAddress): string {
  const point = at ? `?at=${coordinate(at.lat)},${coordinate(at.lon)}` : "";
  return `#/${type}/${encodeURIComponent(id)}${point}`;
}

/** Returns the URL of the record in the REST interface, relative to the folder of the page. */
export function recordRestAddress({ type, id }: RecordAddress): string {
  return `${pathOfType(type)}/${encodeURIComponent(id)}`;
}

/**
 * Returns the address of a record with its representative point, if it has a geometry; undefined if the record belongs to no
 * collection, such as a row of the user's file.
 */
export function pointedAddressOf(record: Feature): RecordAddress | undefined {
  const address = addressOfRecord(record);
  const [lon, lat] = representativePoint(record.geometry) ?? [];
  return address && lon !== undefined && lat !== undefined ? { ...address, at: { lon, lat } } : address;
}

/**
 * Returns the address of a record without its point; undefined if the record belongs to no collection, such as a row of the
 * user's file.
 */
export function addressOfRecord({ id, properties }: Feature): RecordAddress | undefined {
  const { type, theme } = properties;
  if (typeof type !== "string") return undefined;
  // rows of a file may have any type
  return isOvertureType(type) || (theme === "own" && isOwnName(type)) ? { type, id } : undefined;
}
