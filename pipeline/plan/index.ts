export {
  type BuildPlan,
  type DeriveTask,
  type DuplicatesTask,
  duplicatesTasks,
  type JoinTask,
  keyOfTask,
  type NumberedRows,
  type NumberTask,
  numberTasks,
  type PlannedGroup,
  partTasks,
  planPath,
  type ReduceTask,
  readPlan,
  type ScanTask,
  type StageName,
  type SurveyTask,
  type TallyTask,
  type Task,
  type TermsTask,
  tallyTasks,
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
