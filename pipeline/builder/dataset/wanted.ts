/**
 * Selects which rows of the sources go into a dataset.
 * @module
 */
import type { Area } from "../../../data/format/area.ts";
import { COLLECTIONS, type OvertureType } from "../../../data/format/collections.ts";
import type { Geometry } from "../../../data/format/geometry.ts";
import type { Database } from "../../base/database/index.ts";
import { type HashedFile, writeHashed } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import {
  type AreaFilter,
  type AskedArea,
  boxFilter,
  joinAreas,
  labelOf,
  polygonFilter,
} from "../../overture/area/index.ts";
import { packageOutlines } from "../../overture/borders/index.ts";
import { readSourceOutlines } from "../country/index.ts";
import { openSource, type PlannedSource } from "../sources/index.ts";

/** Returns the sources of these types, all if `types` is undefined. Throws for a type that no source has. */
export function withTypes<Source extends { readonly type: string }>(
  sources: readonly Source[],
  types: readonly OvertureType[] | undefined,
): readonly Source[] {
  const has = [...new Set(sources.map(({ type }) => type))];
  const lacking = types?.find((type) => !has.some((one) => one === type));
  if (lacking !== undefined)
    throw new CodedError("CAIRN_E_SOURCE", `no source of type ${lacking}, there are ${has.join(", ")}`);
  return types ? sources.filter(({ type }) => types.some((wanted) => wanted === type)) : sources;
}

/** Returns the message for a build whose sources give no rows. `rejects` is the number of rejected records. */
export function nothingTaken(asked: AskedArea | undefined, rejects: number): string {
  const end = "; --allow-empty builds an empty dataset";
  const rejected = rejects > 0 ? `, ${rejects} rejected` : "";
  if (asked) return `no rows: no source record is in ${labelOf(asked)}${rejected}${end}`;
  if (rejects > 0) return `no rows: all ${rejects} records were rejected${end}`;
  return `no rows: the sources hold no records${end}`;
}

/**
 * Writes the filter of the wanted area to a file in the folder `work`, as JSON. `areas` are sources of type
 * `division_area`, which may have a country's outline. Throws for an unknown country, and for a division or a place,
 * because only a release can look these up.
 */
export async function writeAreaFile(
  database: Database,
  asked: AskedArea,
  { areas, work }: { readonly areas: readonly PlannedSource[]; readonly work: string },
): Promise<HashedFile> {
  return writeHashed(work, ["area", "json"], JSON.stringify(await filterOf(database, asked, areas)));
}

async function filterOf(database: Database, asked: AskedArea, areas: readonly PlannedSource[]): Promise<AreaFilter> {
  switch (asked.kind) {
    case "box":
      return boxFilter(asked.bbox);
    case "polygon":
      return polygonFilter(asked.label, asked.polygon);
    case "country":
      return countryFilter(database, asked.code, areas);
    case "division":
      throw new CodedError(
        "CAIRN_E_AREA",
        "a division is looked up in a release: fetch it with cairn get --division, and build that",
      );
    case "place":
      throw new CodedError(
        "CAIRN_E_AREA",
        "a place is looked up in a release: fetch it with cairn get --place, and build that",
      );
  }
}

async function countryFilter(database: Database, code: string, areas: readonly PlannedSource[]): Promise<AreaFilter> {
  const inSources = await readSourceOutlines(database, areas, (source) =>
    openSource(database, source, COLLECTIONS.division_area),
  );
  for (const outlines of [inSources, packageOutlines()]) {
    const mine = outlines.filter((outline) => outline.code === code).map(({ geometry }) => geometry);
    const found = mine.filter(isArea);
    if (found.length > 0) return polygonFilter(`country ${code}`, joinAreas(found), code);
  }
  throw new CodedError("CAIRN_E_AREA", `country ${code}: neither the sources nor ISO 3166-1 have it`);
}

function isArea(geometry: Geometry): geometry is Area {
  return geometry.type === "Polygon" || geometry.type === "MultiPolygon";
}
