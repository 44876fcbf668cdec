export { fitRoots, type Root } from "./fit-roots.ts";
export { buildIndex } from "./index-tree.ts";
export { writePages } from "./pages.ts";
export { type HeldSlice, packsNamed, pageReader, readManifest, slicesOf } from "./slices.ts";
export { stacFiles, writeStac } from "./stac.ts";
export { writeJson } from "./write-json.ts";
