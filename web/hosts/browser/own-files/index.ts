export { jsonOf, rowOf } from "./arrow-values.ts";
export { coordinateColumns } from "./coordinate-columns.ts";
export { openOwnFiles } from "./file-handlers.ts";
export { geometryOfWkb, isOnGlobe, parseGeometry } from "./parse-geometry.ts";
export { vectorOf } from "./vector-of.ts";
