export { type Example, examplesIn, pathsIn, startBox, startSearch } from "./contents.ts";
export { type Centre, centreText, coordinate } from "./coordinates.ts";
export {
  CONTACTS,
  collectionsOf,
  columnOfUnknown,
  type FilterName,
  type Filters,
  filtersOf,
  INCLUDE_UNKNOWN,
  includesUnknown,
  itemsOf,
  keptFilters,
  nameColumnOf,
  OPERATING_STATUSES,
  ownFilterNamed,
  parseFilter,
  typesOf,
} from "./filters.ts";
export { columnsOf, describeOwnPaths, ownFiltersOf, PATHS, type Path, pathOfType, servedUnder } from "./paths.ts";
export {
  addressOfRecord,
  formatRecordAddress,
  isRecordType,
  pointedAddressOf,
  type RecordAddress,
  recordRestAddress,
} from "./record-address.ts";
export * from "./search.ts";
