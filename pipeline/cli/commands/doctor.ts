import type { Command } from "commander";
import { type PublicKey, parseKeys } from "../../../data/format/signature.ts";
import { formatCount } from "../figures.ts";
import { parseAddress, parsed } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";

interface DoctorArguments extends JsonArguments {
  readonly all?: boolean;
  readonly key?: readonly PublicKey[];
}

/** Registers `cairn doctor`. */
export function registerDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .summary("check how a host serves a published site or dataset")
    .description(
      "Check how a host serves a published page or dataset. Print each fault and its fix, and exit with 1 if there is one.",
    )
    .argument("<url>", "address of the folder of the page or dataset", (text) => new URL(parseAddress(text)))
    .option("--all", "read every file in the index, not one per run");
  command.option("--key <key>", "public key of the signer (default: the page's)", parsed(parseKeys));
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn doctor https://maps.example/")
    .action(async (url: URL, options: DoctorArguments) => {
      const output = openOutput(options);
      const { diagnose } = await import("../../tools/doctor/diagnose.ts");
      const { looked, findings } = await diagnose(url, { isAll: options.all ?? false, keys: options.key });
      for (const line of looked) output.say(line);
      for (const { check, what, advice } of findings) output.say(`FAULT ${check}: ${what}\n      ${advice}`);
      output.say(findings.length === 0 ? "no faults found" : `${formatCount(findings.length, "fault")} found`);
      output.result({ url: url.href, is_sound: findings.length === 0, looked, faults: findings });
      if (findings.length > 0) process.exitCode = 1;
    });
}
