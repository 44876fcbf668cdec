export { Attribution } from "./attribution.tsx";
export { removeFirstLand } from "./first-land.ts";
export { MapView } from "./map-view.tsx";
export { byOrigin, byPack, isXrayOn, kindOf } from "./xray.ts";
