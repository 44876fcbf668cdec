import { Command, CommanderError } from "commander";
import { registerBuild } from "./build.ts";
import { registerChanges } from "./changes.ts";
import { registerDiff } from "./diff.ts";
import { registerDoctor } from "./doctor.ts";
import { explainError, type Given } from "./explain-error.ts";
import { registerExport } from "./export.ts";
import { registerGet } from "./get.ts";
import { registerInit } from "./init.ts";
import { registerKeep } from "./keep.ts";
import { registerMcp } from "./mcp.ts";
import { registerPack } from "./pack.ts";
import { registerQuery } from "./query.ts";
import { registerServe } from "./serve.ts";
import { registerSite } from "./site.ts";
import { registerStart } from "./start.ts";
import { registerTiles } from "./tiles.ts";
import { registerUpload } from "./upload.ts";
import { UsageError } from "./usage.ts";
import { registerVerify } from "./verify.ts";
import { VERSION } from "./version.ts";
import { registerWorker } from "./worker.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Each command of the program. */
export function makeProgram(): Command {
  const program = new Command("cairn")
    .description("Searchable map data with no server: Overture data as static GeoParquet.")
    .version(VERSION)
    .option("--debug", "print the stack of an error")
    .showHelpAfterError("(--help says more)")
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "cairn: ")) })
    .exitOverride();
  for (const register of [
    registerInit,
    registerGet,
    registerBuild,
    registerVerify,
    registerDiff,
    registerChanges,
    registerKeep,
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

/** Runs a command; returns the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = makeProgram();
  let running: Command | undefined;
  program.hook("preAction", (_, command) => {
    running = command;
  });
  try {
    await program.parseAsync(wordsOf(program, args), { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return endOf(error, { program, running });
  }
}

/** Commander answers `--help` of a command that does not exist by the help of the program. */
function wordsOf(program: Command, args: readonly string[]): readonly string[] {
  const [first, second] = program.parseOptions([...args]).operands;
  const name = first === "help" ? second : first;
  const isKnown = name === undefined || program.commands.some((command) => command.name() === name);
  return isKnown ? args : [name];
}

function endOf(error: unknown, { program, running }: { program: Command; running: Command | undefined }): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  // the reader of the output has all that it wants
  if (isClosedPipe(error)) return 0;
  if (program.opts().debug) console.error(error);
  const message = explainError(error, running ? givenOf(running) : []);
  if (!(error instanceof UsageError)) {
    console.error(`cairn: ${message}`);
    return FAILED;
  }
  console.error(`cairn: ${message}\n(--help says more)`);
  return WRONG_USAGE;
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

function givenOf(command: Command): Given[] {
  const options = command.options.flatMap((option): Given[] => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return typeof value === "string" ? [{ option: option.long ?? option.flags, value }] : [];
  });
  // arguments come first, where an option has the same value
  return [...command.args.map((value) => ({ option: undefined, value })), ...options];
}
