/**
 * Runs a command in this process, which takes milliseconds; a new process takes a second.
 * @module
 */
import { vi } from "vitest";
import { runProgram } from "../cli/program.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command at a time, because it captures the output of this process. */
export async function runCairn(...args: readonly string[]): Promise<Outcome> {
  const before = process.exitCode;
  process.exitCode = undefined;
  const [out, err]: [string[], string[]] = [[], []];
  const take = (lines: string[], end: string) => (text: unknown) => lines.push(`${text}${end}`) > 0;
  const spies = [
    vi.spyOn(console, "log").mockImplementation(take(out, "\n")),
    vi.spyOn(console, "error").mockImplementation(take(err, "\n")),
    vi.spyOn(process.stdout, "write").mockImplementation(take(out, "")),
    vi.spyOn(process.stderr, "write").mockImplementation(take(err, "")),
  ];
  try {
    const code = await runProgram(args);
    return { code, stdout: out.join(""), stderr: err.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = before;
  }
}
