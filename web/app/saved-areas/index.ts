export { areaFileName, boxOf, collectionsKept, extentName, extentOf, pathsKept } from "./area-choice.ts";
export { SavedAreasBadge } from "./badge.tsx";
export { SaveOffer } from "./save-offer.tsx";
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
  renameArea,
  saveArea,
  startSavedAreas,
  takePack,
} from "./saved-areas.ts";
