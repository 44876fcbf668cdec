import { type Command, InvalidArgumentError } from "commander";
import { parseCount } from "../options.ts";

interface WorkerArguments {
  readonly plan: string;
  readonly build: string;
  readonly stage: string;
  readonly index: number;
  readonly memory: number;
}

function parseIndex(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 0.");
  return Number(text);
}

/** Registers `cairn worker`. */
export function registerWorker(program: Command): void {
  program
    .command("worker", { hidden: true })
    .summary("run one task of a build")
    .description("Run one task of a build's plan. Builds start this command, on this machine or on others.")
    .requiredOption("--plan <file>", "plan file of the build")
    .requiredOption("--build <id>", "id of the build")
    .requiredOption("--stage <name>", "stage of the task")
    .requiredOption("--index <n>", "number of the task in the stage", parseIndex)
    .requiredOption("--memory <bytes>", "memory limit of the task", parseCount)
    .action(async ({ plan, build, stage, index, memory }: WorkerArguments) => {
      const { runWorkerTask } = await import("../../builder/execute/index.ts");
      await runWorkerTask(plan, { build, stage, index, memoryBytes: memory });
    });
}
