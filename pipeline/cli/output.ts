import type { Command } from "commander";

export interface JsonArguments {
  readonly json?: boolean | undefined;
}

export function addJsonOption(command: Command): Command {
  return command.option("--json", "print the result as JSON on standard output, all else on standard error");
}

/** What a command prints: lines for people, or its result as JSON. */
export interface Output {
  /** Prints a line for people, on standard error where standard output is JSON. */
  readonly say: (line: string) => void;
  /** Prints the result, where JSON is asked for. */
  readonly result: (value: unknown) => void;
}

export function openOutput({ json }: JsonArguments): Output {
  if (!json) return { say: (line) => console.log(line), result: () => undefined };
  return {
    say: (line) => console.error(line),
    result: (value) => console.log(JSON.stringify(value, null, 2)),
  };
}
