export type { SearchArgument } from "./search-calls.ts";
