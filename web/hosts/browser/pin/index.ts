export { pinnedSource } from "../storage/index.ts";
export { openPin } from "./pin.ts";
