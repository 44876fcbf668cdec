import { type Command, InvalidArgumentError } from "commander";
import { parseCount } from "./options.ts";

interface WorkerArguments {
  readonly plan: string;
  readonly stage: string;
  readonly index: number;
  readonly memory: number;
}

function parseIndex(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 0.");
  return Number(text);
}

export function registerWorker(program: Command): void {
  program
    .command("worker", { hidden: true })
    .summary("carry out one task of a build")
    .description("Carries out one task of a build's plan. Builds start it, here or on other machines.")
    .requiredOption("--plan <file>", "the plan that the build wrote")
    .requiredOption("--stage <name>", "stage of the task")
    .requiredOption("--index <n>", "place of the task in the stage", parseIndex)
    .requiredOption("--memory <bytes>", "what the task may take", parseCount)
    .action(async ({ plan, stage, index, memory }: WorkerArguments) => {
      const { runWorkerTask } = await import("../execute/index.ts");
      await runWorkerTask(plan, { stage, index, memoryBytes: memory });
    });
}
