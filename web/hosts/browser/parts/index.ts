export { isPartError, loadPart } from "./load-part.ts";
