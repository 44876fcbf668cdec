/**
 * All checks, in the order they run.
 * @module
 */
import type { Check } from "../check.ts";
import type { Oracle } from "../oracle.ts";
import { exactChecks } from "./exact.ts";

/** Each makes its checks from what the sources hold. */
export const CHECKS: readonly ((oracle: Oracle) => readonly Check[])[] = [exactChecks];
