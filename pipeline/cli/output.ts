import type { Command } from "commander";

export interface JsonArguments {
  readonly json?: boolean | undefined;
}

/** Adds `--json` to a command: its result goes to standard output as JSON. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "print the result as JSON");
}

/** Prints lines for people, or the result as JSON. */
export interface Output {
  /** Prints a line for people: on standard error if standard output is JSON. */
  readonly say: (line: string) => void;
  /** Prints the result if JSON is requested. */
  readonly result: (value: unknown) => void;
}

/** Opens the output of a command. */
export function openOutput({ json }: JsonArguments): Output {
  if (!json) return { say: (line) => console.log(line), result: () => undefined };
  return {
    say: (line) => console.error(line),
    result: (value) => console.log(JSON.stringify(value, null, 2)),
  };
}
