import { COLLECTIONS, type OvertureType } from "../../data/format/collections.ts";
import { countRows, type Database, quoteIdentifier } from "../database/index.ts";
import type { BuildPlan, JoinTask, NumberedRows } from "../plan/index.ts";
import { KEY_COLUMNS, metersBetween, PAD_DEG, stagePlaceBuildings } from "../rows/index.ts";
import { numberedSql, readNumbering } from "./numbered-rows.ts";
import { type PartFacts, rowsSql, type TaskContext, writePart } from "./row-files.ts";
import { readBucket, readSurvey } from "./survey.ts";

const TABLES = { places: "staged_place", buildings: "staged_building", joined: "staged_join" } as const;

/** Beyond this latitude every longitude counts as near. */
const POLAR_DEG = 89;

/** Joins a share of the places with the buildings near them. */
export async function join(
  { plan, database, folder }: TaskContext,
  { collection, places, buildings, bucket: index }: JoinTask,
): Promise<PartFacts> {
  const bucket = await readBucket(plan, places.survey, { run: "location", index });
  const range = bucket ? `_location >= ${bucket.start} AND _location < ${bucket.end}` : "false";
  await load(database, TABLES.places, "place", `${await rowsOf(plan, places)} WHERE ${range}`);
  await load(
    database,
    TABLES.buildings,
    "building",
    `${await rowsOf(plan, buildings)} WHERE ${await nearSql(database)}`,
  );
  database.register(metersBetween());
  await stagePlaceBuildings(database, TABLES);
  await writePart(database, { collection, table: TABLES.joined, folder });
  return { rows: await countRows(database, TABLES.joined) };
}

async function rowsOf(plan: BuildPlan, { survey }: NumberedRows): Promise<string> {
  const numbering = await readNumbering(plan, survey);
  return numbering.firstStretches.size > 0
    ? numberedSql(plan, numbering)
    : rowsSql((await readSurvey(plan, survey)).kept);
}

async function load(database: Database, table: string, type: OvertureType, from: string): Promise<void> {
  const columns = COLLECTIONS[type].columns.map(({ name }) => quoteIdentifier(name));
  await database.run(`CREATE TABLE ${table} AS SELECT ${[...columns, ...KEY_COLUMNS].join(", ")} FROM ${from}`);
}

/** True for every building within reach of a place, and for some others. */
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
