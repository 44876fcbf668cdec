import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type ExtractPlan, httpRemote, type Remote, UnknownHostError } from "../../../data/release/index.ts";
import { openDatabase } from "../../base/database/index.ts";
import { DISK, exists, explainFullDisk, lockDataset, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { labelOf } from "../area/index.ts";
import { decide, type GetOptions } from "./decide.ts";
import { diskRemote, fetchWhole } from "./disk-remote.ts";
import { type Extract, forget, hashArea, olderFolder, planPath, readExtract, underWay } from "./extract-folder.ts";
import { fetchExtract, type OlderExtract } from "./fetch-extract.ts";
import { finish, type Made } from "./finish-extract.ts";

/** Parallel requests: more than the six of a browser, because pieces are small, but few enough for any host. */
const CONNECTIONS = 8;

const FULL_DISK_ADVICE = "downloaded files stay: free disk space and run the same command again";

/**
 * Downloads the rows of an area of a release into a folder, and returns the content of its `extract.json`. With
 * `isPlanOnly`, downloads nothing, and returns undefined unless the folder is complete. Throws if no row is in the
 * area. After another error, the same call continues the download.
 */
export async function getExtract(options: GetOptions): Promise<Extract | undefined> {
  const { out, onNotice = () => undefined } = options;
  const work = underWay(out);
  const isNew = !(await exists(out));
  await makeFolder(work);
  const lock = await lockDataset(work, { onWait: onNotice });
  const database = await openDatabase({ folder: work });
  try {
    if (options.force && !options.isPlanOnly) await forget(out, work);
    const remote = anyRemote(options, work);
    const since = options.since === undefined ? undefined : await namedExtract(options.since);
    const plan = await decide(options, { remote, database, work });
    if (plan === undefined) return await readExtract(out);
    if (plan.files.length === 0) await refuseNothing(options, { work, plan, facts: [] });
    if (options.isPlanOnly) return undefined;
    const connections = options.connections ?? CONNECTIONS;
    const onProgress = options.onProgress ?? (() => undefined);
    const olders = await olderExtracts(since, work, plan);
    const facts = await fetchExtract({ remote, database, plan, work, olders, connections, onProgress, onNotice });
    await refuseNothing(options, { work, plan, facts });
    return await finish(out, { work, plan, facts });
  } catch (error) {
    throw explainFullDisk(explainHost(error), out, FULL_DISK_ADVICE);
  } finally {
    database.close();
    await lock.release();
    await tidy(out, work, isNew);
  }
}

function explainHost(error: unknown): unknown {
  if (!(error instanceof UnknownHostError)) return error;
  return new CodedError("CAIRN_E_NETWORK", `${error.message}; is there a network? --from names a mirror`, {
    cause: error,
  });
}

/** Throws if the extract would have no rows, and removes what was downloaded. */
async function refuseNothing({ out, area }: GetOptions, { work, plan, facts }: Made): Promise<void> {
  const held = await readExtract(out);
  const before = Object.values(held?.types ?? {}).reduce((sum, { rows }) => sum + rows, 0);
  if (before + facts.reduce((sum, { rows }) => sum + rows, 0) > 0) return;
  await forget(out, work);
  throw new CodedError("CAIRN_E_EMPTY", `release ${plan.release} has no row in ${labelOf(area)}`);
}

/** Reads the extract of `--since`. Throws if the folder has none. */
async function namedExtract(folder: string): Promise<OlderExtract> {
  const extract = await readExtract(folder);
  if (!extract) throw new CodedError("CAIRN_E_EXTRACT", `--since ${folder}: holds no extract`);
  return { folder, extract };
}

/** Returns the extracts of which unchanged files can be copied. Throws if the one of `--since` has another area. */
async function olderExtracts(
  named: OlderExtract | undefined,
  work: string,
  { area }: ExtractPlan,
): Promise<OlderExtract[]> {
  if (named && named.extract.area.sha256 !== hashArea(area))
    throw new CodedError(
      "CAIRN_E_EXTRACT",
      `${named.folder}: holds ${named.extract.area.label}, and ${area.label} is another`,
    );
  const folder = olderFolder(work);
  const aside = await readExtract(folder);
  // A killed run for another area may have left it.
  const isOfArea = aside?.area.sha256 === hashArea(area);
  return [...(named ? [named] : []), ...(aside && isOfArea ? [{ folder, extract: aside }] : [])];
}

/** Removes the work folder unless it has a plan, and an output folder that this run created and left empty. */
async function tidy(out: string, work: string, isOutOurs: boolean): Promise<void> {
  if (await exists(planPath(work))) return;
  await rm(work, { recursive: true, force: true });
  if (isOutOurs) await DISK.removeFolder(out).catch(() => undefined);
}

function anyRemote(
  { onNotice = () => undefined, sleep = setTimeout, idleTimeoutMs }: GetOptions,
  work: string,
): Remote {
  const http = httpRemote({
    openWhole: (found, ask) => fetchWhole(found, { folder: join(work, "whole"), onNotice, ask }),
    onWait: onNotice,
    sleep: async (ms) => {
      await sleep(ms);
    },
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  });
  const disk = diskRemote();
  const of = (address: string): Remote => (address.startsWith("file:") ? disk : http);
  return { readJson: (address) => of(address).readJson(address), open: (address) => of(address).open(address) };
}
