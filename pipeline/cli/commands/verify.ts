import type { Command } from "commander";
import { type PublicKey, parseKeys } from "../../../data/format/signature.ts";
import { FOLDERS, pinnedKeys } from "../map/index.ts";
import { mapHere, parsed } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";
import { asUsage } from "../usage.ts";

interface VerifyArguments extends JsonArguments {
  readonly memory?: string;
  readonly temp?: string;
  readonly key?: readonly PublicKey[];
}

/** Registers `cairn verify`. */
export function registerVerify(program: Command): void {
  const command = program
    .command("verify")
    .summary("check every file, slice and row of a dataset")
    .description("Check every file, slice and row of a dataset. Print each check, and exit with 1 if there is a fault.")
    .argument("[dataset]", "folder of a dataset")
    .option("--memory <size>", "memory limit, such as 4GB (default: a quarter of all)")
    .option("--key <key>", "public key that must have signed the dataset", parsed(parseKeys))
    .option("--temp <folder>", "folder for temporary files (default: the system's)");
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn verify .cairn/dataset")
    .action(async (given: string | undefined, { memory, temp, key, json }: VerifyArguments) => {
      const map = given === undefined ? await mapHere(command, "dataset") : undefined;
      const dataset = given ?? FOLDERS.dataset;
      const { parseMemory } = await import("../../base/database/index.ts");
      const memoryBytes = memory === undefined ? undefined : asUsage(() => parseMemory(memory));
      const { requireFolder } = await import("../serving.ts");
      await requireFolder(dataset);
      const keys = key ?? (map && pinnedKeys(map));
      const { verifyDataset } = await import("../../tools/verify/verify.ts");
      const lines = await verifyDataset(dataset, { memoryBytes, temp, keys });
      const output = openOutput({ json });
      for (const { scope, check, tested, faults } of lines) {
        output.say(`${faults.length === 0 ? "ok   " : "FAULT"} ${scope}: ${check}, ${tested} checked`);
      }
      const { readSigned, signatureLine } = await import("../../tools/sign/index.ts");
      const { signatures } = await readSigned(dataset, undefined);
      for (const one of signatures) output.say(`${keys ? "" : "not checked, no --key: "}${signatureLine(one)}`);
      const faults = lines.flatMap((line) => line.faults);
      for (const fault of faults) console.error(`cairn: ${fault}`);
      output.result({ dataset, is_sound: faults.length === 0, checks: lines, signatures });
      if (faults.length > 0) process.exitCode = 1;
    });
}
