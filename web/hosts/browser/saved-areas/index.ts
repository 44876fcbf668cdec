export { areaHandlers } from "./area-handlers.ts";
export { heldCircles } from "./held-circles.ts";
export { packArea } from "./pack-area.ts";
export { packHandlers } from "./pack-handlers.ts";
export { createReleaseKeeper, type ReleaseKeeper } from "./release-keeper.ts";
