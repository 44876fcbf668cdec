/** Tables of any supported format as rows with typed columns and a geometry; for Node and workers of browsers. @module */

export { coordinateColumns, geometryColumn } from "./column-names.ts";
export { onGlobe } from "./globe.ts";
export { isGeometry, parseGeometry } from "./parse-geometry.ts";
export { parseJson } from "./parse-json.ts";
export { GeometryFault } from "./raw-table.ts";
export { readTable } from "./read-table.ts";
export {
  type ReadOptions,
  type Table,
  TableError,
  type TableRow,
} from "./table.ts";
