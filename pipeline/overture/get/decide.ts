/** Decides what to download: a new plan, or the rest of an interrupted one. @module */
import { OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import {
  type ExtractPlan,
  type Mirror,
  openRelease,
  planExtract,
  type Release,
  type Remote,
} from "../../../data/release/index.ts";
import type { Database } from "../../base/database/index.ts";
import { parseJson, readOptional, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type AreaFilter, type AskedArea, boxFilter, polygonFilter } from "../area/index.ts";
import {
  type Extract,
  findExtract,
  forget,
  hashArea,
  planPath,
  readExtract,
  setAside,
  type Wanted,
} from "./extract-folder.ts";
import type { FetchProgress } from "./fetch-extract.ts";
import { countryArea, divisionArea } from "./outlines.ts";
import { placeArea } from "./place-name.ts";

export interface GetOptions {
  readonly out: string;
  readonly area: AskedArea;
  readonly types?: readonly OvertureType[] | undefined;
  readonly release?: string | undefined;
  readonly mirror: Mirror;
  readonly connections?: number | undefined;
  /** Ignores the files of an earlier run. */
  readonly force?: boolean | undefined;
  /** Replaces another extract in the folder instead of refusing it. */
  readonly isReplacing?: boolean | undefined;
  /** Folder of an extract of the same area from an earlier release. Unchanged files are copied from it. */
  readonly since?: string | undefined;
  /** Prints the plan and downloads nothing. */
  readonly isPlanOnly?: boolean | undefined;
  readonly onPlan?: ((plan: ExtractPlan, isGoingOn: boolean) => void) | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Time-out of a silent connection, in milliseconds. */
  readonly idleTimeoutMs?: number;
}

interface Context {
  readonly remote: Remote;
  readonly database: Database;
  readonly work: string;
}

/**
 * Returns the plan of an earlier run or a new one, which it stores. Undefined if the folder is complete. For a new
 * plan, moves or removes the older extract of the folder, except with `isPlanOnly`. Throws if the folder has another
 * extract, unless `isReplacing`.
 */
export async function decide(options: GetOptions, context: Context): Promise<ExtractPlan | undefined> {
  const { onPlan } = options;
  const isNewEstimate = options.force === true && options.isPlanOnly === true;
  const left = isNewEstimate ? undefined : await readPlan(options, context.work);
  if (left) {
    onPlan?.(left, true);
    return left;
  }
  const release = await openRelease(context.remote, options.mirror, options.release);
  const area = await resolveArea(options, release, context);
  const types = wantedTypes(options.types, release);
  const held = isNewEstimate ? undefined : await heldIn(options, { release: release.name, area, types });
  const missing = types.filter((type) => held?.types[type] === undefined);
  if (missing.length === 0) return undefined;
  const plan = await planExtract({ remote: context.remote, release, area, types: missing });
  if (!options.isPlanOnly) {
    if (!held) await replace(options.out, context.work, area);
    await writeWhole(planPath(context.work), JSON.stringify({ asked: askedOf(options), plan }));
  }
  onPlan?.(plan, false);
  return plan;
}

/** Undefined if everything has to be downloaded. */
async function heldIn(options: GetOptions, wanted: Wanted): Promise<Extract | undefined> {
  try {
    return await findExtract(options.out, wanted);
  } catch (error) {
    if (!options.isReplacing || !(await readExtract(options.out))) throw error;
    return undefined;
  }
}

/** Prepares the folder for a new extract. Keeps an extract of the same area, to copy unchanged files from it. */
async function replace(out: string, work: string, area: AreaFilter): Promise<void> {
  const older = await readExtract(out);
  if (older?.area.sha256 === hashArea(area)) await setAside(out, work);
  else if (older) await forget(out, work);
}

function wantedTypes(asked: readonly OvertureType[] | undefined, release: Release): OvertureType[] {
  const has = release.collections.map(({ type }) => type);
  const lacking = asked?.find((type) => !has.includes(type));
  if (lacking !== undefined)
    throw new CodedError("CAIRN_E_OVERTURE", `release ${release.name} has no ${lacking}, it has ${has.join(", ")}`);
  return OVERTURE_TYPES.filter((type) => has.includes(type) && (asked?.includes(type) ?? true));
}

async function resolveArea(
  options: GetOptions,
  release: Release,
  { remote, database, work }: Context,
): Promise<AreaFilter> {
  const { area, onNotice = () => undefined } = options;
  const search = { remote, release, database, folder: work, onNotice };
  switch (area.kind) {
    case "box":
      return boxFilter(area.bbox);
    case "polygon":
      return polygonFilter(area.label, area.polygon);
    case "country":
      return countryArea(area.code, search);
    case "division":
      return divisionArea(area.id, search);
    case "place":
      return placeArea(area.name, search);
  }
}

function askedOf({ area, types, mirror }: GetOptions): unknown {
  return JSON.parse(JSON.stringify({ area, types: types ?? "all", catalog: mirror.catalog }));
}

/** Throws if the interrupted run is for another release or area. */
async function readPlan(options: GetOptions, work: string): Promise<ExtractPlan | undefined> {
  const path = planPath(work);
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const { asked, plan } = parseJson(path, text) as { asked: unknown; plan: ExtractPlan };
  const other = JSON.stringify(asked) !== JSON.stringify(askedOf(options));
  if (!other && (options.release ?? plan.release) === plan.release) return plan;
  if (options.isReplacing) {
    if (!options.isPlanOnly) await forget(options.out, work);
    return undefined;
  }
  const begun = `${plan.area.label} of release ${plan.release}`;
  throw new CodedError(
    "CAIRN_E_EXTRACT",
    `${options.out}: contains an unfinished extract of ${begun}; finish it, choose another --out, or use --force`,
  );
}
