/**
 * All checks, in the order they run.
 * @module
 */
import type { Check } from "../check.ts";
import type { Oracle } from "../oracle.ts";
import { countryChecks } from "./countries.ts";
import { countChecks } from "./counts.ts";
import { csvChecks } from "./csv.ts";
import { documentChecks } from "./documents.ts";
import { exactChecks } from "./exact.ts";
import { faultChecks } from "./faults.ts";
import { filterChecks } from "./filters.ts";
import { formatChecks } from "./formats.ts";
import { headerChecks } from "./headers.ts";
import { idChecks } from "./ids.ts";
import { includesChecks } from "./includes.ts";
import { joinedChecks } from "./joined.ts";
import { keyChecks } from "./keys.ts";
import { methodChecks } from "./methods.ts";
import { nameChecks } from "./names.ts";
import { pagingChecks } from "./paging.ts";
import { parameterChecks } from "./parameters.ts";
import { shapeChecks } from "./shape.ts";

/** Each function makes its checks from the sources. */
export const CHECKS: readonly ((oracle: Oracle) => readonly Check[])[] = [
  methodChecks,
  keyChecks,
  parameterChecks,
  faultChecks,
  headerChecks,
  pagingChecks,
  exactChecks,
  countryChecks,
  shapeChecks,
  idChecks,
  includesChecks,
  formatChecks,
  csvChecks,
  filterChecks,
  nameChecks,
  joinedChecks,
  countChecks,
  documentChecks,
];
