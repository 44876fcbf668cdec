/** A record's own address, `#/place/<id>`, and the one it has in the interface. @module */
import { isOvertureType, type OvertureType } from "../../../data/format/collections.ts";
import type { Feature } from "../../engine/index.ts";
import { pathOfType } from "./paths.ts";

export interface RecordAddress {
  /** Overture's type. */
  readonly type: OvertureType;
  readonly id: string;
}

/** The record that a location's hash names; undefined when it names none. */
export function parseRecordAddress(hash: string): RecordAddress | undefined {
  const [, type = "", id = ""] = /^#\/([a-z_]+)\/([^?]+)/.exec(hash) ?? [];
  if (!isOvertureType(type)) return undefined;
  try {
    return { type, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** The hash that `parseRecordAddress` reads. */
export function formatRecordAddress({ type, id }: RecordAddress): string {
  return `#/${type}/${encodeURIComponent(id)}`;
}

/** The REST address of the record, relative to the page's folder. */
export function recordRestAddress({ type, id }: RecordAddress): string {
  return `${pathOfType(type)}/${encodeURIComponent(id)}`;
}

/** The address of a record; undefined when its type is none of Overture's. */
export function addressOfRecord({ id, properties }: Feature): RecordAddress | undefined {
  const { type } = properties;
  return typeof type === "string" && isOvertureType(type) ? { type, id } : undefined;
}
