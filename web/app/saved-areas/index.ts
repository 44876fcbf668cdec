export { areaFileName, collectionsKept, pathsKept, shapeName, shapeOf } from "./area-choice.ts";
export { Badge } from "./badge.tsx";
export { MissingArea } from "./missing-area.tsx";
export {
  type Activity,
  activities,
  addArea,
  exportArea,
  importArea,
  loadAreas,
  overview,
  overviewFault,
  removeArea,
  saveArea,
  startAreas,
} from "./saved-areas.ts";
