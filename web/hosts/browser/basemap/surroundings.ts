/** What decides between land and sea around a tile: the coast of the dataset and that of the shipped world. @module */
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { type TileId, tileBBox } from "../../../../data/format/tile-id.ts";
import { type BoxMember, createMemo, type Dataset, type Feature, type RowCondition } from "../../../engine/index.ts";
import { COAST_ZOOM, type TileAddress } from "../protocol/index.ts";
import { type CoarseLand, coarseLandIn } from "./coarse-land.ts";
import { type Coast, coastOf, type Ground, grow, joinLines, kindAt, type Line } from "./coast.ts";
import { readKept } from "./drawn.ts";
import { isWhole, joinCoasts } from "./joined-coast.ts";
import { seamsOf } from "./seams.ts";
import type { World } from "./world.ts";
import type { LoadWorld } from "./world-tiles.ts";

const COAST_MARGIN = 0.3;
/** Width of a tile in which a coast is computed. */
const COAST_TILE_DEGREES = 360 / 2 ** COAST_ZOOM;
/**
 * How far beyond its end a detailed coast may decide for rows, and the maximum distance to the coarse coast there, in degrees.
 */
const COAST_REACH_DEGREES = 0.12 * COAST_TILE_DEGREES;
/** Roads in the sea this near to the detailed coast are on piers. */
const PIER_DEGREES = 0.02 * COAST_TILE_DEGREES;
/** Below the margin, so that a neighbouring tile knows the same end of a coast. */
const MOST_LEAD_DEGREES = 0.25 * COAST_TILE_DEGREES;
/** Limit for the detailed coast of an overview. */
const MAX_COAST_BYTES = 300_000;

/** What decides between land and sea around a tile. */
export interface Surroundings {
  readonly coast: Coast | undefined;
  /** The box of the detailed coastlines and their piers, in which rows do not make land. Undefined without detailed lines. */
  readonly detailed?: BBox | undefined;
  /** Coarse land of the shipped world. Undefined if the world file could not be loaded; it is then not drawn. */
  readonly coarse: CoarseLand | undefined;
  readonly seams: readonly Ground[];
}

/** Collections whose rows are on land. */
export const ON_LAND = ["segment", "building"] as const;

/**
 * Returns functions that read the surroundings of a tile of zoom `COAST_ZOOM`, and the coast of an overview (a tile of a lower
 * zoom).
 */
export function createSurroundings(loadWorld: LoadWorld) {
  const surroundings = createMemo<Surroundings>();

  /** Cached per tile of `COAST_ZOOM`. */
  async function surroundingsOf(opened: Dataset, around: TileId, signal: AbortSignal): Promise<Surroundings> {
    const key = `${around.x}/${around.y}`;
    try {
      return await surroundings.get(key, (own) => lookAround(opened, around, { signal: own }), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // use only the coastlines until the rest can be read
      return lookAround(opened, around, { signal, fallback: true });
    }
  }

  async function lookAround(
    opened: Dataset,
    around: TileId,
    { signal, fallback = false }: { readonly signal: AbortSignal; readonly fallback?: boolean },
  ): Promise<Surroundings> {
    const known = tileBBox(around, COAST_MARGIN);
    const orElse = <T>(work: Promise<T>, other: T) => (fallback ? work.catch(() => other) : work);
    const [lines, world] = await Promise.all([
      readCoast(opened, known, signal),
      orElse<World | undefined>(loadWorld(signal), undefined),
    ]);
    const coarse = world && coarseLandIn(world, known);
    const whole = wholeCoast(lines, coarse, known);
    if (whole) return whole;
    const rows = await orElse(boxesOnLand(opened, known, signal), []);
    const coast = coastOf(lines, { known, rows, reach: COAST_REACH_DEGREES });
    return {
      coast,
      detailed: coast?.extent,
      coarse,
      seams: coast && coarse ? seamsOf(coast, coarse, COAST_REACH_DEGREES) : [],
    };
  }

  /** The detailed coast, joined with the coarse one, if it is small enough; otherwise the coarse coast. */
  async function coastOfOverview(opened: Dataset, address: TileAddress, signal: AbortSignal): Promise<Surroundings> {
    const margin = COAST_MARGIN * 2 ** (address.z - COAST_ZOOM);
    const known = tileBBox(address, margin);
    const { collections } = await opened.manifest(signal);
    const query = { facet: "class", values: ["coastline"], bbox: known, maxBytes: MAX_COAST_BYTES } as const;
    const [shapes, world] = await Promise.all([
      collections.water && opened.shapesIn({ collection: "water", ...query }, { signal }),
      loadWorld(signal).catch(() => undefined),
    ]);
    signal.throwIfAborted();
    const coarse = world && coarseLandIn(world, known);
    const lines = (shapes ?? []).flatMap(({ geometry }) => linesOf(geometry));
    return wholeCoast(lines, coarse, known) ?? wholeCoast([], coarse, known) ?? { coast: undefined, coarse, seams: [] };
  }

  return { surroundingsOf, coastOfOverview };
}

async function boxesOnLand(opened: Dataset, known: BBox, signal: AbortSignal): Promise<readonly BBox[]> {
  const { collections } = await opened.manifest(signal);
  const [west, south, east, north] = known;
  const meets = (member: BoxMember, comparison: "<=" | ">=", value: number): RowCondition => ({
    kind: "box",
    member,
    comparison,
    value,
  });
  const condition: RowCondition = {
    kind: "all",
    of: [meets("xmin", "<=", east), meets("xmax", ">=", west), meets("ymin", "<=", north), meets("ymax", ">=", south)],
  };
  const wanted = ON_LAND.filter((collection) => collections[collection]).map((collection) => ({
    collection,
    condition,
  }));
  const { partitions } = await opened.partitions(wanted, { signal });
  return partitions.map(({ node }) => node.bbox);
}

async function readCoast(opened: Dataset, known: BBox, signal: AbortSignal): Promise<readonly Line[]> {
  const filters = { bbox: known, terms: [["class:coastline"]] };
  const features = await readKept(opened, { collections: ["water"], filters }, signal);
  return [...features].flatMap(({ geometry }) => linesOf(geometry));
}

function linesOf(geometry: Feature["geometry"]): readonly Line[] {
  if (geometry.type === "LineString") return [geometry.coordinates];
  return geometry.type === "MultiLineString" ? geometry.coordinates : [];
}

/**
 * Returns a test whether a position [lon, lat] is in the sea by the coarse coast, and outside the detailed one, so that rows
 * there make land.
 */
export function coarseSea(
  { coast, detailed, coarse }: Omit<Surroundings, "seams">,
  filled: readonly Ground[],
): (position: Position) => boolean {
  return (position) => {
    if (detailed && bboxContains(detailed, ...position)) return false;
    if (coast && !coast.extent) return kindAt(filled, position) === "sea";
    return coarse !== undefined && !coarse.contains(position);
  };
}

/**
 * Returns a coast that decides everywhere in the box: the detailed one, the coarse one, or both joined. Undefined if the lines do
 * not fit together.
 */
function wholeCoast(lines: readonly Line[], coarse: CoarseLand | undefined, known: BBox): Surroundings | undefined {
  const fine = joinLines(lines);
  const detailed = bboxOf({ type: "MultiLineString", coordinates: fine });
  const others = joinLines(coarse?.coast ?? []);
  if (!detailed) return { coast: isWhole(others, known) ? { chains: others } : undefined, coarse, seams: [] };
  if (isWhole(fine, known)) return { coast: { chains: fine }, detailed: known, coarse, seams: [] };
  const chains = joinCoasts(fine, others, { known, least: COAST_REACH_DEGREES, most: MOST_LEAD_DEGREES });
  return chains && { coast: { chains }, detailed: grow(detailed, PIER_DEGREES), coarse, seams: [] };
}
