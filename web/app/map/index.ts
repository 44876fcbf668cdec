export { Attribution } from "./attribution.tsx";
export { MapView } from "./map-view.tsx";
export { byOrigin, byPack, isXrayOn, kindOf } from "./xray.ts";
