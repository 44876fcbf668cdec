import type { Command } from "commander";

export function registerWorker(program: Command): void {
  program
    .command("worker", { hidden: true })
    .summary("carry out one task of a build")
    .description("Carries out one task of a build's plan. Builds start it, here or on other machines.")
    .requiredOption("--plan <file>", "the plan that the build wrote")
    .requiredOption("--stage <name>", "stage of the task")
    .requiredOption("--index <n>", "place of the task in the stage")
    .requiredOption("--memory <bytes>", "what the task may take")
    .action(async ({ plan, stage, index, memory }: Record<"plan" | "stage" | "index" | "memory", string>) => {
      const { runWorkerTask } = await import("../execute/index.ts");
      await runWorkerTask(plan, { stage, index: Number(index), memoryBytes: Number(memory) });
    });
}
