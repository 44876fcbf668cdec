/** A record's URL in the page, `#/place/<id>`, and in the REST interface. @module */
import { isOvertureType } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, coordinate } from "./coordinates.ts";
import { pathOfType } from "./paths.ts";

export interface RecordAddress {
  /** Overture's type, or the name of a collection with its own schema. */
  readonly type: string;
  readonly id: string;
  /** Its representative point, if known: offline the record is found there. */
  readonly at?: Centre | undefined;
}

/**
 * Returns whether records in the page may have this type. The dataset decides whether it has a collection with its own
 * schema.
 */
export function isRecordType(type: string): boolean {
  return isOvertureType(type) || isOwnName(type);
}

/** Parses the record from a location hash, without its point; undefined if it is not a record. */
export function parseRecordAddress(hash: string): RecordAddress | undefined {
  const [, type = "", id = ""] = /^#\/([a-z_]+)\/([^?]+)/.exec(hash) ?? [];
  if (!isRecordType(type)) return undefined;
  try {
    return { type, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** Returns the hash that `parsePageState` reads. */
export function formatRecordAddress({ type, id, at }: RecordAddress): string {
  const point = at ? `?at=${coordinate(at.lat)},${coordinate(at.lon)}` : "";
  return `#/${type}/${encodeURIComponent(id)}${point}`;
}

/** Returns the REST URL of the record, relative to the folder of the page. */
export function recordRestAddress({ type, id }: RecordAddress): string {
  return `${pathOfType(type)}/${encodeURIComponent(id)}`;
}

/** Returns the address of a record with its point; undefined for a row of no collection. */
export function pointedAddressOf(record: Feature): RecordAddress | undefined {
  const address = addressOfRecord(record);
  const [lon, lat] = representativePoint(record.geometry) ?? [];
  return address && lon !== undefined && lat !== undefined ? { ...address, at: { lon, lat } } : address;
}

/** Returns the address of a record; undefined for a row of no collection. */
export function addressOfRecord({ id, properties }: Feature): RecordAddress | undefined {
  const { type, theme } = properties;
  if (typeof type !== "string") return undefined;
  // rows of a file may have any type
  return isOvertureType(type) || (theme === "own" && isOwnName(type)) ? { type, id } : undefined;
}
