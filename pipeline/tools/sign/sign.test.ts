import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { readManifestFile, writeManifestFile } from "../../../data/format/manifest-file.ts";
import { readSignatures } from "../../../data/format/signature.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Outcome, runCairn } from "../../testing/run-cairn.ts";
import { keepRelease } from "../changes/keep-release.ts";
import { KEY_VARIABLE, readSigned, readSigningKey, signDataset, writeNewKey } from "./index.ts";

const newFolder = temporaryFolders();
afterEach(() => vi.unstubAllEnvs());

async function newDataset(release = "vectors"): Promise<string> {
  const dataset = await newFolder();
  await cp("data/spec/vectors/dataset", dataset, { recursive: true });
  const path = join(dataset, "manifest.json");
  await writeFile(path, await writeManifestFile({ ...(await readManifestFile(await readFile(path))), release }));
  return dataset;
}

async function newKey(type: "ed25519" | "p256" = "ed25519") {
  const file = join(await newFolder(), "private.pem");
  const { code, stdout } = await runCairn("sign", "--new-key", file, "--type", type);
  expect(code).toBe(0);
  return { file, key: stdout.trimEnd().split("\n").at(-1) ?? "" };
}

const faults = ({ code, stdout, stderr }: Outcome) => ({
  code,
  line: /^.*dataset: signature.*$/m.exec(stdout)?.[0],
  fault: stderr.trim(),
});

test.each(["ed25519", "p256"] as const)(
  "a key of type %s is made, signs, and its signature is verified",
  async (type) => {
    const { file, key } = await newKey(type);
    expect(key).toMatch(type === "ed25519" ? /^ed25519:[\w-]{43}$/ : /^p256:[\w-]{87}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await runCairn("sign", "--new-key", file)).stderr).toMatch(/exists already.*\[CAIRN_E_PATH\]/);
    const dataset = await newDataset();
    const { code, stdout } = await runCairn("sign", dataset, "--key", file, "--name", "Acme");
    expect(code).toBe(0);
    expect(stdout).toMatch(/: release vectors signed by Acme \(key \w{16}\), \w+, on 20\S+Z, sequence \d{10}\n/);
    expect(stdout.trimEnd().endsWith(key)).toBe(true);
    const [name = ""] = await readdir(join(dataset, "kept"));
    expect((await stat(join(dataset, "kept", name))).size).toBeLessThan(200);

    const right = await runCairn("verify", dataset, "--key", key);
    expect(faults(right)).toEqual({ code: 0, line: "ok    dataset: signature, 1 checked", fault: "" });
    expect(right.stdout).toMatch(/^signed by Acme /m);
    expect((await runCairn("verify", dataset)).stdout).toMatch(/^not checked, no --key: signed by Acme /m);
    const other = await newKey();
    const foreign = faults(await runCairn("verify", dataset, "--key", other.key));
    expect(foreign).toMatchObject({ code: 1, line: "FAULT dataset: signature, 1 checked" });
    expect(foreign.fault).toMatch(/^cairn: kept\/\w+\.sig: manifest.json is signed by the key \w+, expected \w+$/);
    await rm(join(dataset, "kept", name));
    expect(faults(await runCairn("verify", dataset, "--key", key)).fault).toMatch(
      /^cairn: manifest.json is not signed/,
    );
    expect(faults(await runCairn("verify", dataset))).toEqual({ code: 0, line: undefined, fault: "" });
  },
);

test("the private key may be in the environment, as PEM or base64", async () => {
  const { file, key } = await newKey();
  const pem = await readFile(file, "utf8");
  const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" }).toString("base64");
  const dataset = await newDataset();
  for (const text of [pem, pem.replaceAll("\n", "\\n"), der, `${der}\n`]) {
    vi.stubEnv(KEY_VARIABLE, text);
    const { code, stdout } = await runCairn("sign", dataset, "--json");
    expect([code, JSON.parse(stdout).key]).toEqual([0, key]);
  }
});

test("what is no private key of these types is refused, and never printed", async () => {
  const dataset = await newDataset();
  const pem = (key: ReturnType<typeof createPrivateKey>) => key.export({ type: "pkcs8", format: "pem" }).toString();
  const locked = generateKeyPairSync("ed25519").privateKey.export({
    ...{ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" },
  });
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["", /no private key: CAIRN_SIGNING_KEY is empty/],
    ["hunter2", /CAIRN_SIGNING_KEY: expected a private key without a password, PKCS#8/],
    [locked.toString(), /expected a private key without a password/],
    [
      pem(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey),
      /a key of type P-384, expected Ed25519 or P-256/,
    ],
    [pem(generateKeyPairSync("x25519").privateKey), /a key of type X25519/],
  ];
  for (const [text, said] of wrong) {
    vi.stubEnv(KEY_VARIABLE, text);
    const { code, stderr } = await runCairn("sign", dataset);
    expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
    expect(stderr).not.toMatch(/hunter2|PRIVATE KEY/);
  }
  expect((await runCairn("sign", dataset, "--name", "a".repeat(41))).code).toBe(2);
  expect((await runCairn("sign", await newFolder(), "--key", (await newKey()).file)).stderr).toMatch(
    /is not a dataset/,
  );
});

test("the sequence increases, and is the same for all signatures of a manifest", async () => {
  const [first, second] = [await newKey(), await newKey("p256")];
  const dataset = await newDataset("one");
  const key = await readSigningKey(first.file);
  const sign = (options: Partial<Parameters<typeof signDataset>[0]> = {}) => signDataset({ dataset, key, ...options });
  expect(await sign({ sequence: 5 })).toMatchObject({ sequence: 5, release: "one" });
  expect(await sign({ signer: "Acme" })).toMatchObject({ sequence: 5, signer: "Acme" });
  await expect(sign({ sequence: 6 })).rejects.toThrow("this manifest has the sequence 5 already");
  const { path } = await sign({ key: await readSigningKey(second.file) });
  expect(readSignatures(await readFile(join(dataset, path))).map(({ type, sequence }) => [type, sequence])).toEqual([
    ["p256", 5],
    ["ed25519", 5],
  ]);
  const next = await newDataset("two");
  await cp(join(next, "manifest.json"), join(dataset, "manifest.json"));
  await expect(sign({ sequence: 5 })).rejects.toThrow("--sequence 5: expected more than 5");
  // a clock that is wrong
  const after = await sign({ nowSeconds: 3 });
  expect(after).toMatchObject({ sequence: 6, signedAt: 3 });
  expect(await readdir(join(dataset, "kept"))).toEqual([after.path.replace("kept/", "")]);
  for (let index = 0; index < 3; index++) await sign({ key: await readSigningKey((await newKey()).file) });
  await expect(sign({ key: await readSigningKey(second.file) })).rejects.toThrow("the maximum of 4 signatures");
});

test("keeping an older release changes the manifest, and removes its signature", async () => {
  const [march, april] = [await newDataset("march"), await newDataset("april")];
  const file = join(await newFolder(), "private.pem");
  await writeNewKey(file, "ed25519");
  const key = await readSigningKey(file);
  await signDataset({ dataset: april, key });
  await keepRelease(march, april);
  expect(await readSigned(april, undefined)).toEqual({ signatures: [] });
  expect((await readdir(join(april, "kept"))).filter((name) => name.endsWith(".sig"))).toEqual([]);
  await signDataset({ dataset: april, key });
  expect(await readSigned(april, [key.public])).not.toHaveProperty("fault");
  expect((await runCairn("verify", april)).code).toBe(0);
});

test("a damaged signature is a fault, and signing replaces it", async () => {
  const { file } = await newKey();
  const dataset = await newDataset();
  const { path } = await signDataset({ dataset, key: await readSigningKey(file) });
  await writeFile(join(dataset, path), "CSIG1");
  expect(faults(await runCairn("verify", dataset)).fault).toMatch(/the file of the signature is damaged: 5 bytes$/);
  await signDataset({ dataset, key: await readSigningKey(file) });
  expect((await runCairn("verify", dataset)).code).toBe(0);
});
