/** How help is written: one line per option, and rare options on request. @module */
import type { Command, Option } from "commander";
import { COMMAND_ERRORS } from "../base/errors/index.ts";

/** Describes an option in one line. Descriptions name the choices themselves. */
export function describeOption({ description, defaultValue, negate }: Option): string {
  const isShown = defaultValue !== undefined && !negate && !description.includes("(default: ");
  return isShown ? `${description} (default: ${defaultValue})` : description;
}

/** Lists the codes of errors: what happened, and the next step. */
export function errorsHelp(): string {
  return Object.entries(COMMAND_ERRORS)
    .map(([code, { happened, next }]) => `${code}\n  ${plain(happened)}\n  ${plain(next)}`)
    .join("\n");
}

/** The texts have the marks of a page. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** Hides options from `--help`. `--help-all` shows them too. */
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
