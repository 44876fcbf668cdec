export { fitRoots } from "./fit-roots.ts";
export { pageReader, stacFiles, writeStac } from "./stac.ts";
export { writeIndex } from "./write-index.ts";
export { writeJson } from "./write-json.ts";
