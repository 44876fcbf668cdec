import type { BuildPlan, StageName, Task } from "../plan/index.ts";

export interface BuildProgress {
  readonly stage: StageName;
  readonly collection: string;
  /** Finished tasks, those that an earlier build left included. */
  readonly done: number;
  /** Of all stages that are planned by now: the number of tasks after the scan follows from the scan. */
  readonly total: number;
}

/** A stage that has ended. */
export interface StageReport {
  /** A stage of tasks, or what the build does before and after all tasks. */
  readonly name: StageName | "sources" | "dataset";
  /** What it worked on, such as `14 files`. */
  readonly amount: number;
  readonly noun: "file" | "task";
  /** Of the amount, what an earlier build had left. */
  readonly kept: number;
  /** Since the stage before it ended. */
  readonly milliseconds: number;
}

export interface CounterOptions {
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
  readonly onStage?: ((stage: StageReport) => void) | undefined;
  readonly now?: () => number;
}

export interface TaskCounter {
  /** A task was carried out. */
  readonly made: (task: Task, plan: BuildPlan) => void;
  /** Tasks that need not be carried out. Those reported before are not counted again. */
  readonly found: (tasks: readonly Task[], plan: BuildPlan) => void;
  /** A part of the build that has no tasks has ended. */
  readonly ended: (name: "sources" | "dataset", files: number) => void;
}

/** Counts the tasks of a build whose plan grows: each once, in whatever order they are reported. */
export function createTaskCounter({ onProgress, onStage, now = () => performance.now() }: CounterOptions): TaskCounter {
  const done = new Set<string>();
  const ofStage = new Map<StageName, { made: number; kept: number }>();
  const reported = new Set<StageName>();
  let last = now();

  /** Whether it was not counted before. */
  const count = ({ key, stage }: Task, how: "made" | "kept"): boolean => {
    if (done.has(key)) return false;
    done.add(key);
    const counts = ofStage.get(stage) ?? { made: 0, kept: 0 };
    counts[how]++;
    ofStage.set(stage, counts);
    return true;
  };

  const report = (stage: Omit<StageReport, "milliseconds">): void => {
    const time = now();
    onStage?.({ ...stage, milliseconds: time - last });
    last = time;
  };

  /** Reports the stages that have ended, in the order of the plan. */
  const reportStages = ({ stages }: BuildPlan): void => {
    for (const { name, tasks } of stages) {
      if (reported.has(name) || tasks.length === 0) continue;
      const { made, kept } = ofStage.get(name) ?? { made: 0, kept: 0 };
      if (made + kept < tasks.length) return;
      reported.add(name);
      report({ name, amount: tasks.length, noun: "task", kept });
    }
  };

  return {
    made: (task, plan) => {
      if (!count(task, "made")) return;
      const total = plan.stages.reduce((sum, { tasks }) => sum + tasks.length, 0);
      onProgress?.({ stage: task.stage, collection: task.collection, done: done.size, total });
      reportStages(plan);
    },
    found: (tasks, plan) => {
      for (const task of tasks) count(task, "kept");
      reportStages(plan);
    },
    ended: (name, files) => report({ name, amount: files, noun: "file", kept: 0 }),
  };
}
