export {
  type BuildPlan,
  type DeriveTask,
  type JoinTask,
  keyOfTask,
  type NumberedRows,
  type NumberTask,
  numberTasks,
  type PlannedGroup,
  planPath,
  type ReduceTask,
  readPlan,
  type ScanTask,
  type StageName,
  type SurveyTask,
  type Task,
  type TermsTask,
} from "./build-plan.ts";
export type { CountryRows } from "./country-groups.ts";
export { makeStages, planScans } from "./make-plan.ts";
export { programVersion } from "./program-version.ts";
export {
  attemptsFolder,
  commitTask,
  keepTask,
  type PendingStage,
  pendingStages,
  readFacts,
  readRecord,
  removeOtherTasks,
  type TaskRecord,
  taskFolder,
  tasksFolder,
} from "./records.ts";
