export { areaHandlers } from "./area-handlers.ts";
export { createReleaseKeeper, type ReleaseKeeper } from "./release-keeper.ts";
