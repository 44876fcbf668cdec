/**
 * `npm run synth -- <out> --places 1000000`: generates sources of any size.
 * @module
 */
import { Command, InvalidArgumentError } from "commander";
import { withBars } from "../../../pipeline/cli/bars.ts";
import type { SyntheticKindName } from "./kinds.ts";
import { type SynthesiseProgress, synthesise } from "./synthesise.ts";

type SynthOptions = { seed: number } & Record<SyntheticKindName, number>;

/** Parses a number of rows, such as `5000000`. */
function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError(`expected a number of rows, such as 1000000, got ${text}`);
}

const command = new Command("npm run synth --")
  .description(
    "Makes sources in Overture's schema and layout that look like the real ones: towns of all countries as dense as they are, " +
      "names in their scripts, categories and brands as rare as in the sample. The same seed makes the same rows, and a smaller " +
      "dataset is the first part of a larger one.",
  )
  .argument("<out>", "folder to write theme=<theme>/type=<type>/part-<n>.zstd.parquet below")
  .option("--places <rows>", "places to make", parseCount, 0)
  .option("--buildings <rows>", "buildings to make", parseCount, 0)
  .option("--addresses <rows>", "addresses to make", parseCount, 0)
  .option("--segments <rows>", "road segments to make", parseCount, 0)
  .option("--seed <number>", "another seed, another world", parseCount, 1)
  .showHelpAfterError()
  .parse();

const [out = ""] = command.args;
const { seed, ...rows } = command.opts<SynthOptions>();
const files = await withBars(({ draw }) => {
  const onProgress = ({ done, total }: SynthesiseProgress) =>
    draw("rows", { done, total, text: `${done}/${total} rows` });
  return synthesise({ out, seed, rows, onProgress });
});
const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
console.log(`${total} rows in ${files.length} file${files.length === 1 ? "" : "s"} below ${out}`);
