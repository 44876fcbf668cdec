export { areaFileName, areNamesSaved, boxOf, collectionsKept, extentName, extentOf, pathsKept } from "./area-choice.ts";
export { SavedAreasBadge } from "./badge.tsx";
export { SaveOffer } from "./save-offer.tsx";
export * from "./saved-areas.ts";
