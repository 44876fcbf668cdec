import type { Command } from "commander";
import { FOLDERS } from "../map/index.ts";
import { mapHere } from "./options.ts";

interface VerifyArguments {
  readonly memory?: string;
  readonly temp?: string;
}

export function registerVerify(program: Command): void {
  const command = program
    .command("verify")
    .summary("check every file, slice and row of a dataset")
    .description(
      "Checks that every file is there, whole and named, that slices fill their packs, that rows are counted, sorted and " +
        "boxed as the index says, that ids are unique, and that points, records, terms and tables are those of the primary " +
        "copy. Prints what it checked; exits with 1 and names each fault.",
    )
    .argument("[dataset]", "folder of a dataset")
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--temp <folder>", "folder for what does not fit in memory; the system's when left out")
    .addHelpText("after", "\nExample:\n  cairn verify .cairn/dataset")
    .action(async (given: string | undefined, { memory, temp }: VerifyArguments) => {
      if (given === undefined) await mapHere(command, "dataset");
      const dataset = given ?? FOLDERS.dataset;
      const { parseMemory } = await import("../database/index.ts");
      const { verifyDataset } = await import("../verify/index.ts");
      const memoryBytes = memory === undefined ? undefined : parseMemory(memory);
      const lines = await verifyDataset(dataset, { memoryBytes, temp });
      for (const { scope, check, tested, faults } of lines) {
        console.log(`${faults.length === 0 ? "ok   " : "FAULT"} ${scope}: ${check}, ${tested} checked`);
      }
      const faults = lines.flatMap((line) => line.faults);
      for (const fault of faults) console.error(`cairn: ${fault}`);
      if (faults.length > 0) process.exitCode = 1;
    });
}
