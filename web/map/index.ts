export { circleBounds, HALF_CIRCUMFERENCE_METERS, metersBetween, positionAt } from "./circle-shape.ts";
export { areaOf, type DrawnArea, formatDrawnArea, parseDrawnArea, ringOf } from "./drawn-area.ts";
export { byZoom, isA, LOCAL_SOURCE } from "./expressions.ts";
export { openCluster } from "./open-cluster.ts";
export { type Palette, palette } from "./palette.ts";
export {
  AREA_SOURCE,
  CLUSTER_LAYER,
  MARK_SOURCE,
  OUTLINE_SOURCE,
  RESULT_LAYERS,
  RESULT_SOURCE,
} from "./result-layers.ts";
export {
  areaShape,
  boundsOf,
  NO_FEATURES,
  NO_RESULTS,
  type Numbering,
  type ResultShapes,
  recordBounds,
  recordShapes,
  resultShapes,
} from "./shapes.ts";
export { mapStyle } from "./style.ts";
