export { humanize } from "../../../data/format/humanize.ts";
export { listOf, objectOf, textOf } from "../../../data/format/json.ts";
export { LANGUAGES, type Language } from "../../../data/format/languages.ts";
export { webLink } from "../../map/links.ts";
export { categoryNames, columnText, columnTexts, foundText, kindText, pathText, propertyText } from "./kind-text.ts";
export { countryName, languageName, readable } from "./languages.ts";
export {
  formatBytes,
  formatCount,
  formatDay,
  formatDecimal,
  formatDistance,
  formatPercent,
  formatRelease,
  formatSeconds,
  releaseText,
} from "./numbers.ts";
export { reasonOf } from "./reason.ts";
export { distanceOf, recordAddresses, recordKind, recordSubtitle, recordTitle, textsOf } from "./record-text.ts";
export {
  isKey,
  isLanguage,
  language,
  locale,
  type MessageKey,
  ownNameOf,
  speak,
  text,
} from "./text.ts";
