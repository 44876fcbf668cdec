/**
 * The text of `--help`: one line per option, and rare options only with `--help-all`.
 * @module
 */
import type { Command, Option } from "commander";
import { COMMAND_ERRORS } from "../base/errors/index.ts";

/**
 * Returns the line of help about an option: its description, with the default value unless the description names it.
 */
export function describeOption({ description, defaultValue, negate }: Option): string {
  const isShown = defaultValue !== undefined && !negate && !description.includes("(default: ");
  return isShown ? `${description} (default: ${defaultValue})` : description;
}

/** Returns the text of `cairn help errors`: each code with what happened and the next step. */
export function errorsHelp(): string {
  return Object.entries(COMMAND_ERRORS)
    .map(([code, { happened, next }]) => `${code}\n  ${plain(happened)}\n  ${plain(next)}`)
    .join("\n");
}

/** Removes backticks, which the texts have for the page of errors. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

/**
 * Hides these options from `--help`, adds `--help-all`, which shows them, and returns the command. Throws for an
 * unknown name.
 */
export function hideRareOptions(command: Command, names: readonly string[]): Command {
  const rare = command.options.filter(({ long }) => long && names.includes(long));
  if (rare.length !== names.length) throw new Error(`unknown options among ${names.join(" ")}`);
  const hide = (isHidden: boolean) => {
    for (const option of rare) option.hideHelp(isHidden);
  };
  hide(true);
  return command
    .optionsGroup("Options:")
    .option("--help-all", "show rare options too")
    .on("option:help-all", () => {
      hide(false);
      command.help();
    });
}
