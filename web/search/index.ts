/**
 * The typed search below every interface: parses parameters, runs searches, writes results.
 * @module
 */
export {
  COUNTS_PATH,
  type CountedRow,
  type Counting,
  type CountsFound,
  countsParameters,
  GROUP_NAMES,
  outlineFaults,
  outlineOfCell,
  parseCounting,
  parseGroup,
  runCounts,
} from "./counts.ts";
export { type Credit, creditLines, onOneLine } from "./credit.ts";
export { csvLine, flatCsv } from "./csv.ts";
export { exampleSearch } from "./example.ts";
export { FORMAT_NAMES, FORMATS, type FormatName, formatNamed } from "./formats.ts";
export {
  bodyOf,
  ending,
  type Frame,
  GEOJSON_FRAME,
  JSON_FRAME,
  type Piece,
  type Records,
  recordsIn,
  type Writer,
} from "./frame.ts";
export { propertyNames } from "./geoparquet.ts";
export { nearest, nearestOf } from "./nearest.ts";
export { allRecords, bodyOfPages, pagesOf, type SomeRecords } from "./pages.ts";
export {
  bboxParameter,
  DEFAULT_TEXT_LIMIT,
  ownFiltersOf,
  type ParameterName,
  type ParameterPath,
  parseBBox,
  pathParameters,
} from "./parameters.ts";
export {
  COUNT_PATHS,
  type CountPath,
  type OwnPath,
  operationIdOf,
  ownPathsOf,
  pathNamed,
  RECORD_PATH,
  SEARCH_PATHS,
  type SearchPath,
  searchPathsOf,
  TABLE_PARAMETERS,
} from "./paths.ts";
export {
  findRecord,
  located,
  outlineOf,
  type RunOptions,
  runCount,
  runFacet,
  runLocate,
  runSearch,
  withOrder,
} from "./run.ts";
export {
  missingFaults,
  ParameterError,
  type Parameters,
  pairFaults,
  parametersOf,
  parseSearch,
  parseShown,
  parseValuesOf,
  readValues,
  type Search,
  type Shown,
  sentAs,
  TooLargeError,
  unknownFaults,
  type WithRequired,
} from "./search.ts";
export { choiceParameter, choicesParameter, listParameter, numberParameter, textParameter } from "./values.ts";
export { shownFeature, writerOf } from "./writers.ts";
export { xmlDecimal, xmlElement } from "./xml.ts";
