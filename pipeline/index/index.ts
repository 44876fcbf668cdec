export { fitRoots } from "./fit-roots.ts";
export { writeIndex } from "./index-tree.ts";
export { pageReader, stacFiles, writeStac } from "./stac.ts";
export { writeJson } from "./write-json.ts";
