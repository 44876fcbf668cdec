export { byOrigin, kindOf } from "./file-kinds.ts";
export { MapView } from "./map-view.tsx";
export { isXrayOn } from "./xray.ts";
