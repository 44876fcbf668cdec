/** A record's own address, `#/place/<id>`, and the one it has in the interface. @module */
import { isOvertureType, type OvertureType } from "../../../data/format/collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, coordinate } from "./coordinates.ts";
import { pathOfType } from "./paths.ts";

export interface RecordAddress {
  /** Overture's type. */
  readonly type: OvertureType;
  readonly id: string;
  /** Its representative point, if that is known: without a network the record is found there. */
  readonly at?: Centre | undefined;
}

/** The record that a location's hash names, without its point; undefined when it names none. */
export function parseRecordAddress(hash: string): RecordAddress | undefined {
  const [, type = "", id = ""] = /^#\/([a-z_]+)\/([^?]+)/.exec(hash) ?? [];
  if (!isOvertureType(type)) return undefined;
  try {
    return { type, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** The hash that `parsePageState` reads. */
export function formatRecordAddress({ type, id, at }: RecordAddress): string {
  const point = at ? `?at=${coordinate(at.lat)},${coordinate(at.lon)}` : "";
  return `#/${type}/${encodeURIComponent(id)}${point}`;
}

/** The REST address of the record, relative to the page's folder. */
export function recordRestAddress({ type, id }: RecordAddress): string {
  return `${pathOfType(type)}/${encodeURIComponent(id)}`;
}

/** The address of a record, with its point; undefined when its type is none of Overture's. */
export function pointedAddressOf(record: Feature): RecordAddress | undefined {
  const address = addressOfRecord(record);
  const [lon, lat] = representativePoint(record.geometry) ?? [];
  return address && lon !== undefined && lat !== undefined ? { ...address, at: { lon, lat } } : address;
}

/** The address of a record; undefined when its type is none of Overture's. */
export function addressOfRecord({ id, properties }: Feature): RecordAddress | undefined {
  const { type } = properties;
  return typeof type === "string" && isOvertureType(type) ? { type, id } : undefined;
}
