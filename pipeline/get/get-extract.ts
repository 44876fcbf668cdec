import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { OVERTURE_TYPES, type OvertureType } from "../../data/format/collections.ts";
import { type AreaFilter, type AskedArea, boxFilter, polygonFilter } from "../area/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { DISK, exists, lockDataset } from "../disk/index.ts";
import { ATTRIBUTION_FILE, EXTRACT_FILE } from "../sources/index.ts";
import { attributionsOf } from "./attributions.ts";
import { openRelease, type Release } from "./catalog.ts";
import { diskRemote } from "./disk-remote.ts";
import {
  type Extract,
  hashArea,
  parseJson,
  readExtract,
  readOptional,
  refuseOther,
  underWay,
  type Wanted,
  writeWhole,
} from "./extract-folder.ts";
import { type FetchProgress, type FileFacts, fetchExtract, madePath } from "./fetch-extract.ts";
import { httpRemote } from "./http-remote.ts";
import type { Place } from "./mirror.ts";
import { countryArea, divisionArea } from "./outlines.ts";
import { type ExtractPlan, planExtract } from "./plan.ts";
import type { Remote } from "./remote.ts";

export interface GetOptions {
  readonly out: string;
  readonly area: AskedArea;
  /** All that the release has when left out. */
  readonly types?: readonly OvertureType[] | undefined;
  /** The latest when left out. */
  readonly release?: string | undefined;
  readonly place: Place;
  /** Requests at a time. */
  readonly connections?: number | undefined;
  /** Begins anew, whatever an earlier run left. */
  readonly force?: boolean | undefined;
  /** Whether the folder is the caller's own: another extract in it is replaced where it would be refused. */
  readonly isReplacing?: boolean | undefined;
  /** Tells the plan, and fetches nothing of it. */
  readonly isPlanOnly?: boolean | undefined;
  readonly onPlan?: ((plan: ExtractPlan, isGoingOn: boolean) => void) | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Between tries. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** How long a line may be silent. */
  readonly silentMs?: number;
}

/** More than a browser's six, since pieces are small; few enough that hosts do not mind. */
const CONNECTIONS = 8;

/** Fetches an extract of a release. When it throws, what was fetched stays, and the same call goes on from there. */
export async function getExtract(options: GetOptions): Promise<Extract | undefined> {
  const { out, onNotice = () => undefined } = options;
  const work = underWay(out);
  const isNew = !(await exists(out));
  await mkdir(work, { recursive: true });
  const lock = await lockDataset(work, { onWait: onNotice });
  const database = await openDatabase({ folder: work });
  try {
    if (options.force && !options.isPlanOnly) await forget(out, work);
    const remote = anyRemote(options, work);
    const plan = await planned(options, { remote, database, work });
    if (plan === undefined) return await readExtract(out);
    if (options.isPlanOnly) return undefined;
    const connections = options.connections ?? CONNECTIONS;
    const onProgress = options.onProgress ?? (() => undefined);
    const facts = await fetchExtract({ remote, database, plan, work, connections, onProgress });
    return await finish(out, { work, plan, facts });
  } catch (error) {
    throw explainFullDisk(error, out);
  } finally {
    database.close();
    await lock.release();
    await tidy(out, work, isNew && options.isPlanOnly === true);
  }
}

/** Of a folder without a plan nothing is worth keeping. */
async function tidy(out: string, work: string, isOutOurs: boolean): Promise<void> {
  if (await exists(planPath(work))) return;
  await rm(work, { recursive: true, force: true });
  if (isOutOurs) await rm(out, { recursive: true, force: true });
}

async function forget(out: string, work: string): Promise<void> {
  const older = await readExtract(out);
  for (const name of ["plan.json", "raw", "facts", "made", "whole"])
    await rm(join(work, name), { recursive: true, force: true });
  if (!older) return;
  await rm(join(out, EXTRACT_FILE));
  for (const type of Object.keys(older.types)) await removeType(out, type);
  await rm(join(out, ATTRIBUTION_FILE), { force: true });
}

async function removeType(out: string, type: string): Promise<void> {
  const { readdir } = await import("node:fs/promises");
  for (const theme of (await readdir(out)).filter((name) => name.startsWith("theme="))) {
    await rm(join(out, theme, `type=${type}`), { recursive: true, force: true });
    await DISK.removeFolder(join(out, theme)).catch(() => undefined);
  }
}

function anyRemote({ onNotice = () => undefined, sleep = setTimeout, silentMs }: GetOptions, work: string): Remote {
  const http = httpRemote({
    folder: join(work, "whole"),
    onNotice,
    onWait: onNotice,
    sleep: async (ms) => {
      await sleep(ms);
    },
    ...(silentMs === undefined ? {} : { silentMs }),
  });
  const disk = diskRemote();
  const of = (address: string): Remote => (address.startsWith("file:") ? disk : http);
  return { readJson: (address) => of(address).readJson(address), open: (address) => of(address).open(address) };
}

interface Context {
  readonly remote: Remote;
  readonly database: Database;
  readonly work: string;
}

/** What is left of an earlier run, or a new plan; undefined when the folder holds all that is wanted. */
async function planned(options: GetOptions, context: Context): Promise<ExtractPlan | undefined> {
  const { onPlan } = options;
  const isTellingAnew = options.force === true && options.isPlanOnly === true;
  const left = isTellingAnew ? undefined : await readPlan(options, context.work);
  if (left) {
    onPlan?.(left, true);
    return left;
  }
  const release = await openRelease(context.remote, options.place, options.release);
  const area = await resolveArea(options, release, context);
  const types = wantedTypes(options.types, release);
  const held = isTellingAnew ? undefined : await heldIn(options, { release: release.name, area, types }, context.work);
  const missing = types.filter((type) => held?.types[type] === undefined);
  if (missing.length === 0) return undefined;
  const plan = await planExtract({ remote: context.remote, release, area, types: missing });
  if (!options.isPlanOnly) await writeWhole(planPath(context.work), JSON.stringify({ asked: askedOf(options), plan }));
  onPlan?.(plan, false);
  return plan;
}

async function heldIn(options: GetOptions, wanted: Wanted, work: string): Promise<Extract | undefined> {
  try {
    return await refuseOther(options.out, wanted);
  } catch (error) {
    if (!options.isReplacing || !(await readExtract(options.out))) throw error;
    await forget(options.out, work);
    return undefined;
  }
}

function wantedTypes(asked: readonly OvertureType[] | undefined, release: Release): OvertureType[] {
  const has = release.collections.map(({ type }) => type);
  const lacking = asked?.find((type) => !has.includes(type));
  if (lacking !== undefined) throw new Error(`release ${release.name} has no ${lacking}, it has ${has.join(", ")}`);
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
  }
}

function planPath(work: string): string {
  return join(work, "plan.json");
}

/** What decides a plan. */
function askedOf({ area, types, place }: GetOptions): unknown {
  return JSON.parse(JSON.stringify({ area, types: types ?? "all", catalog: place.catalog }));
}

/** Throws when what is under way is something else: one folder, one release, one area. */
async function readPlan(options: GetOptions, work: string): Promise<ExtractPlan | undefined> {
  const path = planPath(work);
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const { asked, plan } = parseJson(path, text) as { asked: unknown; plan: ExtractPlan };
  const other = JSON.stringify(asked) !== JSON.stringify(askedOf(options));
  if (!other && (options.release ?? plan.release) === plan.release) return plan;
  if (options.isReplacing) {
    await forget(options.out, work);
    return undefined;
  }
  const begun = `${plan.area.label} of release ${plan.release}`;
  throw new Error(
    `${options.out}: an extract of ${begun} was begun here; go on with that, give another --out, or --force`,
  );
}

interface Made {
  readonly work: string;
  readonly plan: ExtractPlan;
  readonly facts: readonly FileFacts[];
}

async function finish(out: string, { work, plan, facts }: Made): Promise<Extract> {
  const held = await readExtract(out);
  for (const file of facts.filter(({ rows }) => rows > 0)) {
    const made = madePath(work, file);
    await mkdir(dirname(join(out, file.path)), { recursive: true });
    if (await exists(made)) await rename(made, join(out, file.path));
  }
  const types = plan.types.map(({ type, license }) => {
    const mine = facts.filter((file) => file.type === type && file.rows > 0);
    const sum = (member: "rows" | "bytes"): number => mine.reduce((total, file) => total + file[member], 0);
    return [type, { license, files: mine.length, rows: sum("rows"), bytes: sum("bytes") }] as const;
  });
  const cited = plan.types.map(({ type, license }) => ({
    license,
    citations: facts.filter((file) => file.type === type).flatMap(({ citations }) => citations),
  }));
  const older = await readOptional(join(out, ATTRIBUTION_FILE));
  const attributions = attributionsOf(cited);
  const before = older === undefined ? [] : (parseJson(join(out, ATTRIBUTION_FILE), older) as typeof attributions);
  const added = attributions.filter(({ dataset }) => !before.some((entry) => entry.dataset === dataset));
  await writeWhole(join(out, ATTRIBUTION_FILE), `${JSON.stringify([...before, ...added], null, 2)}\n`);
  const { label, bbox } = plan.area;
  const extract: Extract = {
    release: plan.release,
    area: { label, bbox: [...bbox], sha256: hashArea(plan.area) },
    types: { ...held?.types, ...Object.fromEntries(types) },
  };
  await writeWhole(join(out, EXTRACT_FILE), `${JSON.stringify(extract, null, 2)}\n`);
  await rm(planPath(work));
  return extract;
}

const FULL_DISK = /ENOSPC|No space left on device|max_temp_directory_size/;

function explainFullDisk(error: unknown, out: string): unknown {
  const said = error instanceof Error ? error.message : String(error);
  if (!FULL_DISK.test(said)) return error;
  return new Error(`${out}: the disk is full; what was fetched stays: free room and give the same command again`, {
    cause: error,
  });
}
