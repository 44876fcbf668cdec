export {
  type BuildPlan,
  type DeriveTask,
  type JoinTask,
  type NumberedRows,
  type NumberTask,
  numberTasks,
  planPath,
  type ReduceTask,
  readPlan,
  type ScanTask,
  type StageName,
  type SurveyTask,
  type Task,
  type TermsTask,
} from "./build-plan.ts";
export { makeStages } from "./make-plan.ts";
export { programVersion } from "./program-version.ts";
export {
  attemptsFolder,
  commitTask,
  type PendingStage,
  pendingStages,
  readFacts,
  readRecord,
  removeOtherTasks,
  taskFolder,
  tasksFolder,
} from "./records.ts";
