import { beforeAll, expect, test } from "vitest";
import { randomFrom } from "../../web/engine/testing/random.ts";
import { sha256Of } from "./sha256.ts";
import {
  type KeyType,
  keyIdOf,
  keyText,
  type ManifestSignature,
  type PublicKey,
  parseKeys,
  readSignatures,
  requireNewer,
  type SeenManifest,
  SignatureError,
  type SignatureFacts,
  signaturePath,
  signedBytes,
  verifyManifest,
  writeSignatures,
} from "./signature.ts";
import { toUtf8 } from "./utf8.ts";

/** Short by default. The figures of the documentation are those of 100,000. */
const CASES = Number(process.env.CAIRN_SIGNATURE_CASES ?? 5000);

interface Signer {
  readonly key: PublicKey;
  readonly sign: (
    manifest: Uint8Array<ArrayBuffer>,
    facts: Pick<SignatureFacts, "sequence"> & Partial<SignatureFacts>,
  ) => Promise<ManifestSignature>;
}

async function makeSigner(type: KeyType): Promise<Signer> {
  const algorithm = type === "ed25519" ? { name: "Ed25519" } : { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const key = { type, bytes: new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)) };
  const keyId = await keyIdOf(key);
  return {
    key,
    async sign(manifest, given) {
      const facts = { type, keyId, signedAt: 1_800_000_000, signer: "", ...given };
      const data = Uint8Array.from(signedBytes(facts, await sha256Of(manifest)));
      return { ...facts, bytes: new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, data)) };
    },
  };
}

let own: Signer;
let second: Signer;
let foreign: Signer;
beforeAll(async () => {
  [own, second, foreign] = await Promise.all([makeSigner("ed25519"), makeSigner("p256"), makeSigner("ed25519")]);
});

const manifestOf = (text: string) => Uint8Array.from(toUtf8(text));

test("a signature is read as it was written, and costs less than 200 bytes", async () => {
  const manifest = manifestOf("{}");
  const signer = "Amt für Geoinformation, Bern (CH) 12345";
  for (const by of [own, second]) {
    const file = writeSignatures([await by.sign(manifest, { sequence: 7, signer })]);
    expect(file.length).toBeLessThan(200);
    const facts = { type: by.key.type, keyId: await keyIdOf(by.key), sequence: 7, signedAt: 1_800_000_000, signer };
    expect(readSignatures(file)).toEqual([{ ...facts, head: file.slice(5, -64), bytes: file.slice(-64) }]);
    expect(await verifyManifest(manifest, file, { keys: [foreign.key, by.key] })).toEqual(facts);
  }
  const both = writeSignatures([
    await own.sign(manifest, { sequence: 7, signer: "Acme" }),
    await second.sign(manifest, { sequence: 7, signer: "Acme" }),
  ]);
  expect(both.length).toBeLessThan(200);
  for (const { key } of [own, second]) expect(await verifyManifest(manifest, both, { keys: [key] })).toBeTruthy();
  await expect(verifyManifest(manifest, both, { keys: [foreign.key] })).rejects.toThrow(
    /is signed by the key \w{16},\w{16}, expected \w{16}$/,
  );
});

test("the path has the start of the manifest's hash", () => {
  expect(signaturePath("0123456789abcdef".repeat(4))).toBe("kept/0123456789abcdef.sig");
});

test("keys are parsed, and invalid ones are refused", () => {
  const texts = [own, second].map(({ key }) => keyText(key));
  expect(texts[0]).toMatch(/^ed25519:[\w-]{43}$/);
  expect(texts[1]).toMatch(/^p256:[\w-]{87}$/);
  for (const given of [texts, texts.join(","), ` ${texts.join(" \n")} `])
    expect(parseKeys(given)).toEqual([own.key, second.key]);
  for (const none of ["", [], " , "]) expect(() => parseKeys(none)).toThrow("0 keys, expected 1 to 8");
  expect(() => parseKeys(Array.from({ length: 9 }, () => texts[0] ?? ""))).toThrow("9 keys, expected 1 to 8");
  for (const wrong of [
    "ed25519",
    "rsa:AAAA",
    `p256:${texts[0]?.slice(8)}`,
    `${texts[0]}A`,
    "ed25519:é",
    "toString:AAAA",
  ])
    expect(() => parseKeys(wrong)).toThrow(/^key ".*", expected ed25519: or p256:/);
});

test("facts that could mislead are not written", async () => {
  const manifest = manifestOf("{}");
  for (const signer of ["a".repeat(41), "two\nlines", "\u202egnp", "\u0000", "\ud800"])
    await expect(own.sign(manifest, { sequence: 1, signer })).rejects.toThrow(/^signer /);
  for (const sequence of [-1, 0.5, Number.NaN, 2 ** 48])
    await expect(own.sign(manifest, { sequence })).rejects.toThrow(/^sequence is /);
  expect(() => writeSignatures([])).toThrow("0 signatures");
});

test("no changed bit of the manifest, of a fact or of the signature is accepted", async () => {
  const manifest = manifestOf(JSON.stringify({ format: "cairn", release: "spring" }));
  for (const by of [own, second]) {
    const file = writeSignatures([await by.sign(manifest, { sequence: 9, signer: "Acme" })]);
    for (const [whole, other] of [
      [manifest, "manifest"],
      [file, "file"],
    ] as const) {
      for (let bit = 0; bit < whole.length * 8; bit++) {
        const changed = whole.slice();
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const asked = other === "file" ? ([manifest, changed] as const) : ([changed, file] as const);
        await expect(verifyManifest(...asked, { keys: [by.key] }), `${other}, bit ${bit}`).rejects.toThrow(
          SignatureError,
        );
      }
    }
    for (let length = 0; length < file.length; length++)
      expect(() => readSignatures(file.slice(0, length))).toThrow(SignatureError);
    expect(() => readSignatures(Uint8Array.of(...file, 0))).toThrow(SignatureError);
  }
});

test("a reader that sees random, replayed, rolled back and mixed hosts accepts only newer releases of its key", async () => {
  const random = randomFrom(52);
  const releases = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const manifest = manifestOf(JSON.stringify({ format: "cairn", release: `r${index}` }));
      const by = (signer: Signer) => signer.sign(manifest, { sequence: 10 + index });
      return {
        manifest,
        sequence: 10 + index,
        own: await by(own),
        second: await by(second),
        foreign: await by(foreign),
      };
    }),
  );
  const faults: string[] = [];
  let accepted = 0;
  let seen: SeenManifest | undefined;
  for (let round = 0; round < CASES; round++) {
    // a new browser
    if (random.below(40) === 0) seen = undefined;
    const release = random.of(releases);
    const other = random.of(releases);
    const kind = random.of(["own", "both", "foreign", "mixed", "relabelled", "random", "flipped"] as const);
    const files = {
      own: () => writeSignatures([release.own]),
      both: () => writeSignatures([release.foreign, release.own, release.second]),
      foreign: () => writeSignatures([release.foreign]),
      mixed: () => writeSignatures([other.own]),
      // another sequence, time or key id around the bytes of a true signature
      relabelled: () =>
        writeSignatures([
          random.of([
            { ...release.own, sequence: release.sequence + 1 + random.below(100) },
            { ...release.own, signedAt: release.own.signedAt + 1 },
            { ...release.own, signer: "Acme" },
            { ...release.foreign, keyId: release.own.keyId },
            { ...release.second, keyId: release.own.keyId },
          ]),
        ]),
      random: () => Uint8Array.from({ length: random.below(600) }, () => random.below(256)),
      flipped: () => {
        const file = writeSignatures([release.own]);
        const at = random.below(file.length);
        file[at] = (file[at] ?? 0) ^ (1 << random.below(8));
        return file;
      },
    };
    const isSigned = kind === "own" || kind === "both" || (kind === "mixed" && other === release);
    const sha256 = await sha256Of(release.manifest);
    const mayAccept = isSigned && (!seen || seen.sha256 === sha256 || release.sequence > seen.sequence);
    try {
      const facts = await verifyManifest(release.manifest, files[kind](), { keys: [own.key, second.key] });
      requireNewer(facts, sha256, seen);
      accepted++;
      if (!mayAccept || facts.sequence !== release.sequence) faults.push(`round ${round}: accepted ${kind}`);
      seen = { sequence: facts.sequence, sha256 };
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      if (mayAccept) faults.push(`round ${round}: refused ${kind}: ${error.message}`);
    }
  }
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(CASES / 100);
});
