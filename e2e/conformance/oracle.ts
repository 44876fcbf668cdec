/**
 * The plain loop: the expected results of a search, from the source rows alone.
 * @module
 */
import type { Position } from "geojson";
import { distanceMeters } from "./distance.ts";
import { type Parameters, passes, type Verdict } from "./filters.ts";
import { groupBy } from "./group.ts";
import { textAt } from "./json.ts";
import { DEFAULT_RADIUS_METERS, type SearchPath } from "./paths.ts";
import { joinBuildings, type Neighbours, neighboursAmong } from "./place-buildings.ts";
import { mayReach } from "./reach.ts";
import type { SourceRow } from "./source-rows.ts";
import { DECLARED, isOvertureType, type OvertureType } from "./types.ts";

/** Rows this close to the circle's edge are undecided. */
export const EDGE_METERS = 0.001;

export interface Found {
  readonly row: SourceRow;
  /** Set for a search with a circle. */
  readonly meters?: number;
  /** True if the documents allow leaving out the row. */
  readonly isOptional: boolean;
}

export interface Oracle {
  rowsOf(types: readonly OvertureType[]): readonly SourceRow[];
  /** Buildings that a place may be joined with. */
  readonly neighboursOf: Neighbours;
  /** The rows of a path with these parameters, before filters. */
  served(path: SearchPath, parameters: Parameters): readonly SourceRow[];
  /** All matching rows, in the order of the interface. `isInCountry` decides for types without a declared country. */
  find(path: SearchPath, parameters: Parameters, isInCountry?: (row: SourceRow) => boolean): Found[];
}

/** Creates the oracle. */
export function createOracle(rows: readonly SourceRow[]): Oracle {
  const byType = groupBy(rows, ({ type }) => type);
  const rowsOf = (types: readonly OvertureType[]) => types.flatMap((type) => byType.get(type) ?? []);
  const neighboursOf = neighboursAmong(rowsOf(["building"]));
  let joined: readonly SourceRow[] | undefined;
  const served = (path: SearchPath, parameters: Parameters): readonly SourceRow[] => {
    if (!path.isJoined) return rowsOf(parameters.types?.split(",").filter(isOvertureType) ?? path.types);
    joined ??= joinBuildings(rowsOf(["place"]), neighboursOf);
    return joined;
  };
  return {
    rowsOf,
    neighboursOf,
    served,
    find(path, parameters, isInCountry = () => false) {
      const found: Found[] = [];
      const centre = centreOf(parameters);
      for (const row of served(path, parameters)) {
        const match = matchOf(row, parameters, { centre, isInCountry });
        if (match) found.push(match);
      }
      return found.sort(compareFound);
    },
  };
}

interface Where {
  readonly centre: Position | undefined;
  readonly isInCountry: (row: SourceRow) => boolean;
}

function matchOf(row: SourceRow, parameters: Parameters, { centre, isInCountry }: Where): Found | undefined {
  const { country } = parameters;
  if (country !== undefined && !isIn(row, country, isInCountry)) return undefined;
  const radius = Number(parameters.radius ?? DEFAULT_RADIUS_METERS);
  if (centre && !mayReach(row.reach, centre, radius)) return undefined;
  const verdict: Verdict = passes(row, parameters);
  if (verdict === "no") return undefined;
  if (!centre) return { row, isOptional: verdict === "maybe" };
  const meters = distanceMeters(centre, row.geometry);
  if (meters > radius + EDGE_METERS) return undefined;
  return { row, meters, isOptional: verdict === "maybe" || meters > radius - EDGE_METERS };
}

function centreOf({ lat, lng }: Parameters): Position | undefined {
  return lat === undefined || lng === undefined ? undefined : [Number(lng), Number(lat)];
}

function isIn(row: SourceRow, country: string, isInCountry: (row: SourceRow) => boolean): boolean {
  if (!DECLARED.has(row.type)) return isInCountry(row);
  return textAt(row.properties, "country") === country.toUpperCase();
}

/** Compares distances as displayed, in millimetres. */
function compareFound(a: Found, b: Found): number {
  return toMillimetre(a.meters) - toMillimetre(b.meters) || compareIds(a.row.id, b.row.id);
}

const toMillimetre = (meters = 0): number => Math.round(meters * 1000) / 1000;

/** Order of UTF-8 bytes, which equals UTF-16 below the surrogates. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a + b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
