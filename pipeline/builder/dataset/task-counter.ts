import type { BuildPlan, StageName, Task } from "../plan/index.ts";

export interface BuildProgress {
  readonly stage: StageName;
  readonly collection: string;
  /** Finished tasks, including those reused from an earlier build. */
  readonly done: number;
  /** Tasks of all stages planned so far. The scan decides how many tasks follow it. */
  readonly total: number;
}

/** A finished stage. */
export interface StageReport {
  /** A stage of tasks, or the part of the build before or after all tasks. */
  readonly name: StageName | "sources" | "dataset";
  /** Number of files or tasks of the stage. */
  readonly amount: number;
  readonly noun: "file" | "task";
  /** How many of them were reused from an earlier build. */
  readonly kept: number;
  /** Milliseconds since the previous stage ended. */
  readonly milliseconds: number;
}

export interface CounterOptions {
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
  readonly onStage?: ((stage: StageReport) => void) | undefined;
  readonly now?: () => number;
}

/** Counts finished tasks of a build and reports its progress. */
export interface TaskCounter {
  /** Counts a task that has finished now. */
  readonly made: (task: Task, plan: BuildPlan) => void;
  /** Counts tasks that were finished before. A task is counted once. */
  readonly found: (tasks: readonly Task[], plan: BuildPlan) => void;
  /** Reports that a part of the build without tasks has ended. */
  readonly ended: (name: "sources" | "dataset", files: number) => void;
}

/**
 * Returns a counter of the tasks of a plan that grows. It counts each task once, in any order of calls, and reports
 * finished stages in the order of the plan.
 */
export function createTaskCounter({ onProgress, onStage, now = () => performance.now() }: CounterOptions): TaskCounter {
  const done = new Set<string>();
  const ofStage = new Map<StageName, { made: number; kept: number }>();
  const reported = new Set<StageName>();
  let last = now();

  /** Returns false if the task was counted before. */
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

  /** Reports finished stages in the order of the plan. */
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
