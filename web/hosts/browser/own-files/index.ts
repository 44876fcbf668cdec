export { fileHandlers } from "./file-handlers.ts";
