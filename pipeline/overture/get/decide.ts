/**
 * Decides what to download: what a new plan names, or the rest of an interrupted download.
 * @module
 */
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
  /** Removes the extract and unfinished files in the folder first. With `isPlanOnly`, ignores them. */
  readonly force?: boolean | undefined;
  /** Replaces an extract of another release or area in the folder. By default, such an extract is an error. */
  readonly isReplacing?: boolean | undefined;
  /** Folder of an extract of the same area from an earlier release. Unchanged files are copied from it. */
  readonly since?: string | undefined;
  /** Downloads nothing: only calls `onPlan`. */
  readonly isPlanOnly?: boolean | undefined;
  /** Gets the plan before the download. `isGoingOn` is true if it is that of an interrupted download. */
  readonly onPlan?: ((plan: ExtractPlan, isGoingOn: boolean) => void) | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Milliseconds without a byte after which a connection is closed. */
  readonly idleTimeoutMs?: number;
}

interface Context {
  readonly remote: Remote;
  readonly database: Database;
  readonly work: string;
}

/**
 * Returns the plan of an interrupted download, or a new one. Undefined if the folder has all types already. Except with
 * `isPlanOnly`, stores a new plan, and moves or removes the older extract. Throws if the folder has other files, or,
 * unless `isReplacing`, another release or area.
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

/** Returns the extract in the folder; undefined if all types have to be downloaded. */
async function heldIn(options: GetOptions, wanted: Wanted): Promise<Extract | undefined> {
  try {
    return await findExtract(options.out, wanted);
  } catch (error) {
    if (!options.isReplacing || !(await readExtract(options.out))) throw error;
    return undefined;
  }
}

/**
 * Makes the folder ready for a new extract: moves an extract of the same area, whose unchanged files can be copied, and
 * removes one of another area.
 */
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

/**
 * Returns the stored plan of an interrupted download; undefined without one. Throws if it is for another release or
 * area, unless `isReplacing`.
 */
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
