import type { Database } from "../database/index.ts";
import type { BuildPlan } from "../plan/index.ts";

export interface TaskContext {
  readonly plan: BuildPlan;
  readonly database: Database;
  /** Kept. */
  readonly folder: string;
  /** Removed when the task ends. */
  readonly scratch: string;
}
