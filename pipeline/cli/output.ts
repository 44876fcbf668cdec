import type { Command } from "commander";

export interface JsonArguments {
  readonly json?: boolean | undefined;
}

/** Adds the option `--json`, and returns the command. With it, a command prints its result as JSON. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "print the result as JSON");
}

/** What a command prints: lines for people on standard output, or with `--json` one JSON value. */
export interface Output {
  /** Prints a line for people: on standard output, or with `--json` on standard error. */
  readonly say: (line: string) => void;
  /** Prints the result as JSON on standard output. Does nothing without `--json`. */
  readonly result: (value: unknown) => void;
}

/** Returns functions to print. With `json`, `say` prints on standard error, and `result` prints JSON. */
export function openOutput({ json }: JsonArguments): Output {
  if (!json) return { say: (line) => console.log(line), result: () => undefined };
  return {
    say: (line) => console.error(line),
    result: (value) => console.log(JSON.stringify(value, null, 2)),
  };
}
