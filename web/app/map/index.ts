export { MapView } from "./map-view.tsx";
export { byOrigin, isXrayOn, kindOf } from "./xray.ts";
