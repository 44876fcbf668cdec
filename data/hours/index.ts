/** Opening hours: texts as weeks, and whether a week is open at a time. @module */
export { parseHours } from "./parse-hours.ts";
export { DAY_MINUTES, joined, type OpenState, openState, type Span, type WallTime, type Week, wallTime } from "./week.ts";
