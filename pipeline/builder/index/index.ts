export { fitRoots, type Root } from "./fit-roots.ts";
export { buildIndex, lowestLevel } from "./index-tree.ts";
export { writeLowestPages, writePages } from "./pages.ts";
export { type HeldSlice, packsNamed, pageReader, type ReadPage, readManifest, slicesOf } from "./slices.ts";
export { stacFiles, writeStac } from "./stac.ts";
