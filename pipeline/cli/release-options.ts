/** The options that say how a release is fetched. @module */
import type { Command } from "commander";
import { parseCount } from "./counts.ts";

export interface ReleaseArguments {
  readonly from?: string | undefined;
  readonly connections?: number | undefined;
  readonly force?: boolean | undefined;
}

export function addReleaseOptions(command: Command): Command {
  return command
    .option(
      "--from <mirror>",
      "where the release is: a folder, or an address (https:, s3:, file:); Overture's own when left out",
    )
    .option("--connections <n>", "requests at a time", parseCount);
}
