import { type BBox, bboxIntersects, wrapLon } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type OvertureType } from "../../../data/format/collections.ts";
import type { Database } from "../../base/database/index.ts";
import type { BuildPlan, JoinTask, NumberedRows } from "../plan/index.ts";
import { metersBetween, PAD_DEG, stagePlaceBuildings } from "../rows/index.ts";
import { type NumberedBucket, numberedColumns, numberedSql, readNumbering } from "./numbered-rows.ts";
import { type PartFacts, rowsSql, type TaskContext, writePart } from "./row-files.ts";
import { readBucket, readSurvey } from "./survey.ts";

const TABLES = { places: "staged_place", buildings: "staged_building", joined: "staged_join" } as const;

/** Above this latitude, buildings at every longitude may be near. */
const POLAR_DEG = 89;

/** Writes the rows of `place_building` for the places of a bucket. */
export async function join(
  { plan, database, folder }: TaskContext,
  { places, buildings, bucket: index }: JoinTask,
): Promise<PartFacts> {
  const bucket = await readBucket(plan, places.survey, { run: "location", index });
  const { placed, near } = await readNear(plan, { places, buildings });
  const range = bucket ? `_location >= ${bucket.start} AND _location < ${bucket.end}` : "false";
  await load(database, TABLES.places, "place", `${await rowsOf(plan, places, placed)} WHERE ${range}`);
  await load(
    database,
    TABLES.buildings,
    "building",
    `${await rowsOf(plan, buildings, near)} WHERE ${await nearSql(database)}`,
  );
  database.register(metersBetween());
  await stagePlaceBuildings(database, TABLES);
  return writePart(database, { collection: COLLECTIONS.place_building, table: TABLES.joined, folder });
}

/** Buckets that have rows. */
interface NearBuckets {
  /** Buckets of the countries of the task's places. */
  readonly placed: readonly NumberedBucket[];
  /** Buckets with buildings that may be in range. */
  readonly near: readonly NumberedBucket[];
}

/** Returns the buckets of places and buildings that a join reads. */
export async function readNear(
  plan: BuildPlan,
  { places, buildings }: Pick<JoinTask, "places" | "buildings">,
): Promise<NearBuckets> {
  const [placed, built] = [(await readNumbering(plan, places)).buckets, (await readNumbering(plan, buildings)).buckets];
  const reached = placed.flatMap(({ bbox }) => (bbox ? [padded(bbox)] : []));
  const isNear = ({ bbox }: NumberedBucket): boolean => !!bbox && reached.some((box) => bboxIntersects(box, bbox));
  return { placed: placed.filter(({ bbox }) => bbox), near: built.filter(isNear) };
}

/** Expands the box by the range, rounded up. */
function padded([west, south, east, north]: BBox): BBox {
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const [low, high] = [south - PAD_DEG, north + PAD_DEG];
  if (farthest > POLAR_DEG) return [-180, low, 180, high];
  const padLon = PAD_DEG / Math.cos((farthest * Math.PI) / 180);
  const isAround = (west <= east ? east - west : east + 360 - west) + 2 * padLon >= 360;
  return isAround ? [-180, low, 180, high] : [wrapLon(west - padLon), low, wrapLon(east + padLon), high];
}

async function rowsOf(plan: BuildPlan, { survey }: NumberedRows, buckets: readonly NumberedBucket[]): Promise<string> {
  if (buckets.length > 0) return numberedSql(plan, { buckets });
  return `(FROM ${rowsSql((await readSurvey(plan, survey)).kept)} LIMIT 0)`;
}

async function load(database: Database, table: string, type: OvertureType, from: string): Promise<void> {
  await database.run(`CREATE TABLE ${table} AS SELECT ${numberedColumns(COLLECTIONS[type]).join(", ")} FROM ${from}`);
}

/** Returns SQL that is true for every building in range of a place, and for some others. */
async function nearSql(database: Database): Promise<string> {
  const [box] = await database.rows<Record<"west" | "south" | "east" | "north", number | null>>(`
    SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north
    FROM ${TABLES.places}`);
  if (box?.west == null || box.south === null || box.east === null || box.north === null) return "false";
  const { west, south, east, north } = box;
  const latitudes = `bbox.ymin <= ${north + PAD_DEG} AND bbox.ymax >= ${south - PAD_DEG}`;
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const padLon = PAD_DEG / Math.cos((farthest * Math.PI) / 180);
  const reachesOver = farthest > POLAR_DEG || west - padLon < -180 || east + padLon > 180;
  return reachesOver
    ? latitudes
    : `${latitudes} AND (bbox.xmin > bbox.xmax OR bbox.xmin <= ${east + padLon} AND bbox.xmax >= ${west - padLon})`;
}
