export { type Example, examplesIn, pathsIn, startBox, startSearch } from "./contents.ts";
export {
  CONTACTS,
  collectionsOf,
  type FilterName,
  filtersOf,
  itemsOf,
  OPERATING_STATUSES,
  parseFilter,
  typesOf,
} from "./filters.ts";
export { PATHS, type Path, pathOfType } from "./paths.ts";
export { addressOfRecord, formatRecordAddress, type RecordAddress, recordRestAddress } from "./record-address.ts";
export * from "./search.ts";
