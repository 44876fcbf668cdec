export { finish } from "./finish.ts";
export { publish, refuseStrangeFolder } from "./publish.ts";
export { type AllowedLosses, refuseEmptiedBy, refuseLosses } from "./refuse-losses.ts";
