import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import type { StepDone } from "./planet-process.ts";

export const HEAP_MIB = 2048;

/** `other pages` generates the pages of all index tasks except the listed ones. */
type Step = "plan" | "facts" | "partitions" | "other pages" | "index" | "finish";

/** Runs steps, for the index tasks with these indices, in a process with a limited heap. Reports the last step. */
export type RunSteps = (steps: readonly Step[], places?: readonly number[]) => Promise<StepDone>;

/** Returns a runner for steps of a generated planet build in the folder. */
export async function planetSteps(folder: string, share: number): Promise<RunSteps> {
  const script = await bundle(fileURLToPath(new URL("planet-process.ts", import.meta.url)));
  return async (steps, places = []) => {
    const args = [folder, String(share), steps.join(","), ...places.map(String)];
    const child = fork(script, args, { execArgv: [`--max-old-space-size=${HEAP_MIB}`] });
    const [[message], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
    if (code !== 0) throw new Error(`${steps.join(", ")} ended with ${code}`);
    return message as StepDone;
  };
}
