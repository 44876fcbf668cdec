/**
 * Records that are opened by their own address, without a search.
 * @module
 */
import type { OvertureType } from "../../../data/format/collections.ts";
import { SEARCH_PATHS } from "../../search/paths.ts";
import type { RecordAddress } from "./record-address.ts";
import { PATHS, type Path } from "./search.ts";

/** The search path that serves records of the type. */
export function pathOfType(type: OvertureType): Path {
  const serving = SEARCH_PATHS.filter(({ collections, types }) => [...collections, ...(types ?? [])].includes(type));
  return PATHS.find((path) => serving.some((known) => known.path === `/${path}`)) ?? PATHS[0];
}

/** The REST address of the record, relative to the page's folder. */
export function recordRestAddress({ type, id }: RecordAddress): string {
  return `${pathOfType(type)}/${encodeURIComponent(id)}`;
}
