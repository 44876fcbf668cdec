export { listOf, objectOf, textOf } from "../../../data/format/json.ts";
export { LANGUAGES, type Language } from "../../../data/format/languages.ts";
export { categoryNames, humanize, isKey, kindText, propertyText } from "./kind-text.ts";
export { countryName, languageName } from "./languages.ts";
export { type Link, mailLink, phoneLink, webLink } from "./links.ts";
export { formatBytes, formatCount, formatDistance, formatPercent } from "./numbers.ts";
export { reasonOf } from "./reason.ts";
export { distanceOf, recordSubtitle, recordTitle, textsOf } from "./record-text.ts";
export {
  isLanguage,
  LANGUAGE_NAMES,
  language,
  locale,
  type MessageKey,
  speak,
  text,
} from "./text.ts";
