export { type AreaFilter, type AskedArea, boxFilter, joinAreas, polygonFilter, shareOfBox } from "./area-filter.ts";
export { parseBox, parseCountry, parsePlaceName, parseTypes, readAreaFile } from "./parse.ts";
export { wantedSql } from "./sql.ts";
