export type { AddressFault, AddressMatch, AddressQuery, Geocode } from "./geocode-rows.ts";
export { describeTable, type TableReport, writeOwnTable } from "./own-tables.ts";
export type { TableOptions } from "./table-options.ts";
