/**
 * Private keys for signatures of datasets. A key is PKCS#8 as PEM or base64, of type Ed25519 or P-256.
 * @module
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import {
  type KeyType,
  keyIdOf,
  keyText,
  type ManifestSignature,
  type PublicKey,
  type SignatureFacts,
  signedBytes,
} from "../../../data/format/signature.ts";
import { CodedError } from "../../base/errors/index.ts";

/** Name of the environment variable with the private key. */
export const KEY_VARIABLE = "CAIRN_SIGNING_KEY";

export interface SigningKey {
  readonly public: PublicKey;
  /** Returns a signature of the manifest file with this SHA-256 (hexadecimal). */
  sign(
    facts: Pick<SignatureFacts, "sequence" | "signedAt" | "signer">,
    manifestSha256: string,
  ): Promise<ManifestSignature>;
}

/**
 * Writes a new private key as PEM to a file that only this user can read. Returns the public key as text. Throws if the
 * file exists.
 */
export async function writeNewKey(path: string, type: KeyType): Promise<string> {
  const { privateKey } =
    type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(privateKey.export({ type: "pkcs8", format: "pem" }));
    await file.sync();
  } finally {
    await file.close();
  }
  return keyText(publicKeyOf(privateKey, path));
}

/**
 * Reads the private key in the file, or without a path the one in the variable `CAIRN_SIGNING_KEY`. Throws if there is
 * no key, or one that is not Ed25519 or P-256 without a password. The message of an error never contains the key.
 */
export async function readSigningKey(path: string | undefined): Promise<SigningKey> {
  const text = path === undefined ? process.env[KEY_VARIABLE] : await readFile(path, "utf8");
  const source = path ?? KEY_VARIABLE;
  if (text === undefined || text.trim() === "")
    throw new CodedError("CAIRN_E_VALUE", `no private key: ${source} is empty; use --key or set ${KEY_VARIABLE}`);
  return signingKey(parsePrivateKey(text, source), source);
}

function parsePrivateKey(text: string, source: string): KeyObject {
  try {
    if (/-----BEGIN /.test(text)) return createPrivateKey(text.replaceAll("\\n", "\n"));
    return createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
  } catch {
    // The cause could quote the key.
    throw new CodedError(
      "CAIRN_E_VALUE",
      `${source}: expected a private key without a password, PKCS#8 as PEM or base64`,
    );
  }
}

function signingKey(key: KeyObject, source: string): SigningKey {
  const own = publicKeyOf(key, source);
  return {
    public: own,
    async sign(facts, manifestSha256) {
      const all = { ...facts, type: own.type, keyId: await keyIdOf(own) };
      const data = signedBytes(all, manifestSha256);
      const bytes =
        own.type === "ed25519" ? sign(null, data, key) : sign("sha256", data, { key, dsaEncoding: "ieee-p1363" });
      return { ...all, bytes: Uint8Array.from(bytes) };
    },
  };
}

function publicKeyOf(key: KeyObject, source: string): PublicKey {
  const { kty, crv, x = "", y = "" } = key.export({ format: "jwk" });
  const part = (text: string) => Buffer.from(text, "base64url");
  if (kty === "OKP" && crv === "Ed25519") return { type: "ed25519", bytes: Uint8Array.from(part(x)) };
  if (kty === "EC" && crv === "P-256")
    return { type: "p256", bytes: Uint8Array.from(Buffer.concat([Buffer.of(4), part(x), part(y)])) };
  throw new CodedError("CAIRN_E_VALUE", `${source}: a key of type ${crv ?? kty}, expected Ed25519 or P-256`);
}
