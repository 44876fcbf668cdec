import type { CollectionName } from "../../../data/format/collections.ts";
import type { TableNode, TermNode } from "../../../data/format/manifest.ts";
import type { Database } from "../../base/database/index.ts";
import { writePacks } from "../packs/index.ts";
import type { DeriveTask, NumberedRows } from "../plan/index.ts";
import { countSlices, type DerivedSlices, lookupSlices, suggestSlices } from "../term-runs/index.ts";
import { cellSlices } from "./cell-counts.ts";
import { columnTable } from "./column-table.ts";
import { countsSql, type Numbering, readNumbering } from "./numbered-rows.ts";
import { lookupFilesOf, readRecording } from "./recorded-rows.ts";
import { type FileContext, rowsSql } from "./row-files.ts";
import { readSurvey } from "./survey.ts";

export interface DeriveFacts {
  /** The index nodes of the slices. Empty if there are no rows. */
  readonly partitions: readonly (TermNode | TableNode)[];
}

/**
 * Suggestion packs have this share of the maximum pack size: each name is in a few small slices among all names of the
 * world, and one changed name should not replace a large pack.
 */
const SUGGEST_SHARE = 1 / 16;

/** Opens a database only if the run needs one. */
type OpenDatabase = () => Promise<Database>;

/** Makes a derived run of a collection, or a share of it. `open` opens a database, which only some runs need. */
export async function derive(context: FileContext, task: DeriveTask, open: OpenDatabase): Promise<DeriveFacts> {
  const { collection, run, packBytes } = task;
  if (run === "table") return { partitions: await columnTable({ ...context, database: await open() }, task) };
  const slices = await slicesOf(context, task, open);
  if (!slices) return { partitions: [] };
  const most = run === "suggest" ? packBytes * SUGGEST_SHARE : packBytes;
  return { partitions: await writePacks({ folder: context.folder, collection, kind: run }, slices, most) };
}

/** Undefined if there are no rows. */
async function slicesOf(
  context: FileContext,
  task: DeriveTask,
  open: OpenDatabase,
): Promise<DerivedSlices | undefined> {
  const { plan } = context;
  const { collection, run, from, share, shares } = task;
  if (run === "suggest") return suggestions(context, task, open);
  if (run === "count_cell") return cellSlices({ ...context, database: await open() }, task);
  const mine = from.find((rows) => rows.collection === collection);
  if (!mine) throw new Error(`${collection}: the ${run} run is made from other rows`);
  const numbered = await readNumbered(context, mine);
  if (numbered.rows === 0) return undefined;
  if (run === "find") {
    const files = lookupFilesOf(plan, await readRecording(plan, mine));
    return lookupSlices(files, { rows: numbered.rows, share, shares });
  }
  if (run === "table") throw new Error(`${collection}: a column table has no slices in packs`);
  return countSlices(await open(), run, { from: countsSql(plan, numbered), rows: numbered.rows });
}

interface Numbered extends Numbering {
  /** Rows of all buckets. */
  readonly rows: number;
}

async function readNumbered({ plan }: FileContext, { survey }: NumberedRows): Promise<Numbered> {
  const numbering = await readNumbering(plan, { survey });
  const { facts } = await readSurvey(plan, survey);
  const rows = numbering.buckets.reduce((sum, bucket) => sum + bucket.rows, 0);
  if (rows !== facts.rows) throw new Error(`${rows} rows are numbered, expected ${facts.rows}`);
  return { ...numbering, rows };
}

async function suggestions(
  { plan }: FileContext,
  { from }: DeriveTask,
  open: OpenDatabase,
): Promise<DerivedSlices | undefined> {
  const rows = new Map<CollectionName, string>();
  for (const { collection, survey } of from) {
    const { kept, facts } = await readSurvey(plan, survey);
    if (facts.rows > 0) rows.set(collection, `(SELECT *, _country AS country FROM ${rowsSql(kept)})`);
  }
  const divisions = rows.get("division");
  if (divisions === undefined) return undefined;
  return suggestSlices(await open(), { divisions, areas: rows.get("division_area") });
}
