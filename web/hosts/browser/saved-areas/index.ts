export { packArea } from "./area-file.ts";
export { areaHandlers } from "./area-handlers.ts";
export { heldCircles } from "./enclosing-circle.ts";
export { packHandlers } from "./pack-handlers.ts";
export { createReleaseKeeper, type ReleaseKeeper } from "./release-keeper.ts";
