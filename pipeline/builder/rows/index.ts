export { figuresOf, geometryFigures, type LocateCountry } from "./figures.ts";
export { normaliseSql } from "./normalise.ts";
export {
  CUT_RUNS,
  type CutRun,
  countryOfOrder,
  endOfCountry,
  KEY_COLUMNS,
  ORDER_COLUMN,
  orderKey,
} from "./order-keys.ts";
export { metersBetween, PAD_DEG, stagePlaceBuildings } from "./place-building.ts";
