import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../../pipeline/testing/folders.ts";
import { readSigningKey, signDataset, writeNewKey } from "../../../pipeline/tools/sign/index.ts";
import { open } from "./index.ts";

const newFolder = temporaryFolders();

test("the module opens a dataset only with the key that signed it", async () => {
  const [dataset, keys] = [await newFolder(), await newFolder()];
  await cp("data/spec/vectors/dataset", dataset, { recursive: true });
  const [own, foreign] = [join(keys, "own.pem"), join(keys, "foreign.pem")];
  const [key, other] = [await writeNewKey(own, "ed25519"), await writeNewKey(foreign, "p256")];
  await expect(open(dataset, { key })).rejects.toThrow("manifest.json is not signed");
  await signDataset({ dataset, key: await readSigningKey(own) });
  expect((await (await open(dataset, { key: [other, key] })).describe()).release).toBe("vectors");
  await expect(open(dataset, { key: other })).rejects.toMatchObject({
    name: "SignatureError",
    code: "CAIRN_E_SIGNATURE",
    message: expect.stringContaining("is signed by the key"),
  });
  await expect(open(dataset, { key: "" })).rejects.toThrow("0 keys");
});
