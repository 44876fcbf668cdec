/** Tables of any supported format as rows with typed columns and a geometry; for Node and workers of browsers. @module */

export { coordinateColumns, geometryColumn } from "./column-names.ts";
export { type Crs, crsOf } from "./crs.ts";
export { mapPositions, onGlobe } from "./globe.ts";
export { openOsm } from "./osm/open-osm.ts";
export { OSM_ATTRIBUTION, openOsmRows } from "./osm/read-osm.ts";
export { isGeometry, parseGeometry } from "./parse-geometry.ts";
export { parseJson, withoutNaN } from "./parse-json.ts";
export { GeometryFault } from "./raw-table.ts";
export { readTable } from "./read-table.ts";
export { idRank, isLikeNames, rolesByName, SAMPLED_ROWS } from "./roles.ts";
export { type GeometryTyped, statedCrs, statedGeometry } from "./stated-geometry.ts";
export {
  type ReadOptions,
  TABLE_FILE,
  type Table,
  type TableColumn,
  TableError,
} from "./table.ts";
