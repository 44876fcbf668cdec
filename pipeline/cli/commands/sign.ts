import { type Command, Option } from "commander";
import { type KeyType, parseSigner } from "../../../data/format/signature.ts";
import { FOLDERS } from "../map/index.ts";
import { mapHere, parseCount, parsed } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";

interface SignArguments extends JsonArguments {
  readonly key?: string;
  readonly name?: string;
  readonly sequence?: number;
  readonly newKey?: string;
  readonly type: KeyType;
}

/** Registers `cairn sign`. */
export function registerSign(program: Command): void {
  const command = program
    .command("sign")
    .summary("sign a dataset, so that readers can refuse others")
    .description(
      "Sign a dataset with the private key of --key or of the variable CAIRN_SIGNING_KEY. Sign after build and keep: they change the manifest.",
    )
    .argument("[dataset]", "folder of a dataset")
    .option("--key <file>", "file with the private key, PKCS#8 as PEM or base64")
    .option("--name <text>", "name of the signer, at most 40 bytes", parsed(parseSigner))
    .option("--sequence <n>", "number of the release (default: the time in seconds)", parseCount)
    .option("--new-key <file>", "make a private key, print its public key, and sign nothing")
    .addOption(
      new Option("--type <type>", "type of the new key: ed25519 or p256")
        .choices(["ed25519", "p256"])
        .default("ed25519"),
    );
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn sign --new-key private.pem\n  cairn sign monaco --key private.pem")
    .action(async (given: string | undefined, options: SignArguments) => {
      const { key: file, name, sequence, newKey, type, json } = options;
      const output = openOutput({ json });
      const { readSigningKey, signatureLine, signDataset, writeNewKey } = await import("../../tools/sign/index.ts");
      const { keyText } = await import("../../../data/format/signature.ts");
      if (newKey !== undefined) {
        const key = await writeNewKey(newKey, type);
        output.say(`${newKey}: the private key. Keep it secret, and keep a copy.`);
        output.say(key);
        output.result({ file: newKey, key });
        return;
      }
      const map = given === undefined ? await mapHere(command, "dataset") : undefined;
      const dataset = given ?? FOLDERS.dataset;
      const { requireFolder } = await import("../serving.ts");
      await requireFolder(dataset);
      const key = await readSigningKey(file);
      const text = keyText(key.public);
      if (map) {
        const { refuseOtherKey } = await import("../map/index.ts");
        refuseOtherKey(map, key.public);
      }
      const { release, path, ...facts } = await signDataset({ dataset, key, signer: name, sequence });
      output.say(`${dataset}: release ${release} ${signatureLine(facts)}`);
      output.say(text);
      output.result({ dataset, release, path, key: text, ...facts });
    });
}
