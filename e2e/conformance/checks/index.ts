/**
 * All checks, in the order they run.
 * @module
 */
import type { Check } from "../check.ts";
import type { Oracle } from "../oracle.ts";
import { countryChecks } from "./countries.ts";
import { exactChecks } from "./exact.ts";
import { headerChecks } from "./headers.ts";
import { methodChecks } from "./methods.ts";
import { pagingChecks } from "./paging.ts";

/** Each makes its checks from what the sources hold. */
export const CHECKS: readonly ((oracle: Oracle) => readonly Check[])[] = [
  methodChecks,
  headerChecks,
  pagingChecks,
  exactChecks,
  countryChecks,
];
