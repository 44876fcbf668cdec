export { openPin } from "./pin.ts";
