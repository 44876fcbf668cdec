/** A release of Overture Maps over HTTP: its catalogue, and which parts of its files hold an area. @module */

export type { AskedArea } from "./area-filter.ts";
export { type AreaFilter, boxFilter, joinAreas, polygonFilter, shareOfBox } from "./area-filter.ts";
export { atATime } from "./at-a-time.ts";
export { bytesOfBase64 } from "./base64.ts";
export { openRelease, type Release } from "./catalog.ts";
export { type OpenedFile, openParquet, pickGroups } from "./footers.ts";
export { type Ask, chunksOf, type Identity, identityOf, refuseChanged } from "./http-answer.ts";
export { httpRemote } from "./http-remote.ts";
export { locateIn, type Place, placeAt } from "./mirror.ts";
export { type ExtractPlan, openPlanned, type PlannedFile, planExtract } from "./plan.ts";
export { ChangedFileError, MissingFileError, type Remote, type RemoteFile } from "./remote.ts";
export { PassingFault } from "./retry.ts";
