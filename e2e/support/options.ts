/**
 * Options of the scripts in this folder.
 * @module
 */
import { type ParseArgsConfig, parseArgs } from "node:util";

const WRONG_USAGE = 2;

type Options = NonNullable<ParseArgsConfig["options"]>;
interface Config<O extends Options> {
  readonly args: string[];
  readonly options: O;
  readonly strict: true;
  readonly allowPositionals: true;
}
type Parsed<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>;

export interface Script<O extends Options> {
  /** Starts with the command. */
  readonly usage: string;
  readonly options: O;
  /** Maximum number of other arguments. Default: 0. */
  readonly mostArguments?: number;
}

export interface ReadOptions<O extends Options> {
  readonly values: Parsed<O>["values"];
  readonly positionals: readonly string[];
  /** Ends the process with the error and the usage. */
  readonly refuse: (message: string) => never;
}

/** Reads the script's options. Prints the usage and ends the process on request or for an unknown option. */
export function readOptions<const O extends Options>({ usage, options, mostArguments = 0 }: Script<O>): ReadOptions<O> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  const refuse = (message: string): never => {
    console.error(`${message}\n\n${usage}`);
    process.exit(WRONG_USAGE);
  };
  try {
    const { values, positionals } = parseArgs<Config<O>>({
      args,
      options,
      strict: true,
      allowPositionals: true,
    });
    const surplus = positionals[mostArguments];
    return surplus === undefined ? { values, positionals, refuse } : refuse(`unknown argument ${surplus}`);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
