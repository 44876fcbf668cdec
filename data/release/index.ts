/** Reads a release of Overture Maps over HTTP: its catalogue, and the parts of its files for an area. @module */

export type { AskedArea } from "./area-filter.ts";
export { type AreaFilter, boxFilter, joinAreas, polygonFilter, shareOfBox } from "./area-filter.ts";
export { openRelease, type Release } from "./catalog.ts";
export { type OpenedFile, openParquet, pickGroups } from "./footers.ts";
export { type Ask, chunksOf, httpRemote, type Identity, identityOf, refuseChanged } from "./http-remote.ts";
export { locateIn, type Mirror, mirrorAt } from "./mirror.ts";
export { type ExtractPlan, openPlanned, type PlannedFile, planExtract } from "./plan.ts";
export {
  atATime,
  ChangedFileError,
  MissingFileError,
  type Remote,
  type RemoteFile,
  UnknownHostError,
} from "./remote.ts";
export { PassingFault, parseRetryAfter, withRetries } from "./retry.ts";
