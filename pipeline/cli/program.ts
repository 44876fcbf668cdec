import { Command, CommanderError } from "commander";
import { type CommandErrorCode, codeOf } from "../base/errors/index.ts";
import { registerBuild } from "./commands/build.ts";
import { registerChanges, registerKeep } from "./commands/changes.ts";
import { registerDiff } from "./commands/diff.ts";
import { registerDoctor } from "./commands/doctor.ts";
import { registerExport } from "./commands/export.ts";
import { registerGet } from "./commands/get.ts";
import { registerInit } from "./commands/init.ts";
import { registerMcp } from "./commands/mcp.ts";
import { registerPack } from "./commands/pack.ts";
import { registerQuery } from "./commands/query.ts";
import { registerServe } from "./commands/serve.ts";
import { registerSign } from "./commands/sign.ts";
import { registerSite } from "./commands/site.ts";
import { registerStart } from "./commands/start.ts";
import { registerTiles } from "./commands/tiles.ts";
import { registerUpload } from "./commands/upload.ts";
import { registerVerify } from "./commands/verify.ts";
import { registerWorker } from "./commands/worker.ts";
import { explainError, type Given } from "./explain-error.ts";
import { describeOption, errorsHelp } from "./help.ts";
import { UsageError } from "./usage.ts";
import { VERSION } from "./version.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Returns commander's program with all commands. With `isJson`, commander prints no errors of its own. */
export function makeProgram({ isJson = false }: { readonly isJson?: boolean } = {}): Command {
  const program = new Command("cairn")
    .description("Make map data searchable without a server.")
    .version(VERSION)
    .option("--debug", "print the stack trace of an error")
    .showHelpAfterError("(try --help)")
    .configureOutput(
      isJson
        ? { writeErr: () => undefined }
        : { outputError: (text, write) => write(text.replace(/^error: /, "cairn: ")) },
    )
    .addHelpText(
      "after",
      "\nExamples:\n  cairn build shops.csv --out shops\n  cairn serve shops\n  cairn help errors   lists the codes of errors",
    )
    .configureHelp({ optionDescription: describeOption, subcommandTerm: (command) => command.name() })
    .exitOverride();
  for (const register of [
    registerInit,
    registerGet,
    registerBuild,
    registerVerify,
    registerDiff,
    registerChanges,
    registerKeep,
    registerSign,
    registerDoctor,
    registerQuery,
    registerExport,
    registerMcp,
    registerTiles,
    registerPack,
    registerSite,
    registerUpload,
    registerServe,
    registerWorker,
  ]) {
    register(program);
  }
  registerStart(program, runProgram);
  return program;
}

/**
 * Runs a command with its arguments, prints an error, and returns the exit code: 0, 1 for a failure, 2 for wrong usage.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  const isJson = args.includes("--json");
  if (args.join(" ") === "help errors") {
    console.log(errorsHelp());
    return 0;
  }
  const program = makeProgram({ isJson });
  let running: Command | undefined;
  program.hook("preAction", (_, command) => {
    running = command;
  });
  try {
    await program.parseAsync(wordsOf(program, args), { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return endOf(error, { program, running, isJson });
  }
}

/**
 * Returns the arguments, or only the name of an unknown command: with `--help`, commander would print the help of the
 * program instead of an error.
 */
function wordsOf(program: Command, args: readonly string[]): readonly string[] {
  const [first, second] = program.parseOptions([...args]).operands;
  const name = first === "help" ? second : first;
  const isKnown = name === undefined || program.commands.some((command) => command.name() === name);
  return isKnown ? args : [name];
}

interface Run {
  readonly program: Command;
  readonly running: Command | undefined;
  readonly isJson: boolean;
}

function endOf(error: unknown, { program, running, isJson }: Run): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Commander has printed it for people.
    if (isJson) printJson("CAIRN_E_USAGE", error.message.replace(/^error: /, "").replaceAll("\n", " "));
    return WRONG_USAGE;
  }
  // The reader of the output closed it on purpose.
  if (isClosedPipe(error)) return 0;
  if (program.opts().debug) console.error(error);
  const message = explainError(error, running ? givenOf(running) : []);
  const code = codeOf(error);
  const isUsage = error instanceof UsageError;
  if (isJson) printJson(code, message);
  else console.error(isUsage ? `cairn: ${message}\n(try --help)` : `cairn: ${message} [${code}]`);
  return isUsage ? WRONG_USAGE : FAILED;
}

/** Prints the error as one line, the last of standard error. */
function printJson(code: CommandErrorCode, message: string): void {
  console.error(JSON.stringify({ code, message }));
}

/** Returns true if the error means that the reader of an output, such as `head`, closed the pipe. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

function givenOf(command: Command): Given[] {
  const options = command.options.flatMap((option): Given[] => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return typeof value === "string" ? [{ option: option.long ?? option.flags, value }] : [];
  });
  // Arguments first: they win over an option with the same value.
  return [...command.args.map((value) => ({ option: undefined, value })), ...options];
}
