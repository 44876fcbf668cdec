export { fitRoots, type Root } from "./fit-roots.ts";
export { buildIndex } from "./index-tree.ts";
export { type HeldSlice, packsNamed, pageReader, slicesOf } from "./slices.ts";
export { stacFiles, writeStac } from "./stac.ts";
export { writeJson } from "./write-json.ts";
export { writePages } from "./write-pages.ts";
