export {
  type AreaFilter,
  type AskedArea,
  boxFilter,
  joinAreas,
  polygonFilter,
  shareOfBox,
} from "../../../data/release/index.ts";
export { labelOf, labelOfBox, parseBox, parseCountry, parsePlaceName, parseTypes, readAreaFile } from "./parse.ts";
export { wantedSql } from "./sql.ts";
