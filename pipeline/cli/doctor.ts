import { type Command, InvalidArgumentError } from "commander";
import { formatCount } from "./figures.ts";

function parseAddress(text: string): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text);
  throw new InvalidArgumentError(`an address begins with http:// or https://, got ${text}`);
}

export function registerDoctor(program: Command): void {
  program
    .command("doctor")
    .summary("tell what a host does wrong with a published site or dataset")
    .description(
      "Asks for the files of a published page or dataset as a browser does: status, types, caching, CORS, compression, " +
        "redirects, lengths and hashes. Names each fault with what to do; exits with 1 when there is one.",
    )
    .argument("<url>", "address of the page's or the dataset's folder", parseAddress)
    .option("--all", "read every file that the index names, not one of each run")
    .addHelpText("after", "\nExample:\n  cairn doctor https://maps.example/")
    .action(async (url: URL, options: { all?: boolean }) => {
      const { diagnose } = await import("../doctor/index.ts");
      const { looked, findings } = await diagnose(url, { isAll: options.all ?? false });
      for (const line of looked) console.log(line);
      for (const { check, what, advice } of findings) console.log(`FAULT ${check}: ${what}\n      ${advice}`);
      console.log(findings.length === 0 ? "no faults found" : `${formatCount(findings.length, "fault")} found`);
      if (findings.length > 0) process.exitCode = 1;
    });
}
