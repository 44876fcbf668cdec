/** Opening hours: texts as weeks, and whether a week is open at a time. @module */
export { parseHours } from "./parse-hours.ts";
export { joined, type OpenState, openState, type Span, type Week, wallTime } from "./week.ts";
