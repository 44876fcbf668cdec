import type { Database } from "../database/index.ts";
import type { BuildPlan } from "../plan/index.ts";

/** What a task may use. */
export interface TaskContext {
  readonly plan: BuildPlan;
  /** A database of the task's own. */
  readonly database: Database;
  /** What the task makes stands here; all of it is kept. */
  readonly folder: string;
  /** Goes when the task ends. */
  readonly scratch: string;
}
