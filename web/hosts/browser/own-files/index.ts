export { coordinateColumns } from "../../../../data/tables/index.ts";
export { jsonOf, rowOf } from "./arrow-values.ts";
export { openOwnFiles } from "./file-handlers.ts";
export { geometryOfWkb, isOnGlobe, parseGeometry } from "./parse-geometry.ts";
export { vectorOf } from "./vector-of.ts";
