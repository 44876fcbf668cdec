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
export {
  type Centre,
  centreText,
  changed,
  coordinate,
  EMPTY_SEARCH,
  encodeText,
  formatPageState,
  isComplete,
  lastPageInstead,
  MAX_RADIUS_METERS,
  MIN_RADIUS_METERS,
  nearestArgument,
  PAGE_SIZES,
  type PageState,
  parsePageState,
  restAddress,
  type Search,
  searchArgument,
  sortsOf,
  type View,
} from "./search.ts";
