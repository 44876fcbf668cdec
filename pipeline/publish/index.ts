export { finish, publishedFiles } from "./finish.ts";
export { type MadeDatasetFile, publish, refuseStrangeFolder } from "./publish.ts";
export { type AllowedLosses, refuseEmptiedBy, refuseLosses } from "./refuse-losses.ts";
