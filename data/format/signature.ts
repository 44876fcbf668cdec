/**
 * Signatures of a manifest. The file `kept/<hash>.sig` has the hash of the manifest that it signs in its name, so a
 * reader asks for the signature of the manifest that it has. The specification has a table of its bytes.
 * @module
 */
import { hexBytes, hexOf, joinBytes } from "./bytes.ts";
import { sha256Of } from "./sha256.ts";
import { fromUtf8, toUtf8 } from "./utf8.ts";

/** The members used here. The types of browsers and Node differ. */
declare const crypto: {
  readonly subtle: {
    importKey(
      format: "raw",
      key: Uint8Array,
      algorithm: object,
      extractable: boolean,
      usages: string[],
    ): Promise<object>;
    verify(algorithm: object, key: object, signature: Uint8Array, data: Uint8Array): Promise<boolean>;
  };
};
declare const atob: (text: string) => string;
declare const btoa: (bytes: string) => string;

export type KeyType = "ed25519" | "p256";

interface KeyKind {
  readonly code: number;
  /** Length of the public key: for P-256 the uncompressed point. */
  readonly bytes: number;
  /** For WebCrypto. */
  readonly algorithm: object;
}

const KINDS: Readonly<Record<KeyType, KeyKind>> = {
  ed25519: { code: 1, bytes: 32, algorithm: { name: "Ed25519" } },
  p256: { code: 2, bytes: 65, algorithm: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } },
};
const TYPES = Object.keys(KINDS) as readonly KeyType[];

/** The first bytes of the file, with its version. */
const MAGIC = "CSIG1";
/** The signed bytes start with this, so that a signature for another purpose is not one of a manifest. */
const PURPOSE = "cairn manifest 1";
const KEY_ID_BYTES = 8;
const NUMBER_BYTES = 6;
const SIGNATURE_BYTES = 64;
/** Bytes of a signature before the name. */
const HEAD_BYTES = 1 + KEY_ID_BYTES + 2 * NUMBER_BYTES + 1;

/** Maximum length of a signer's name, in bytes of UTF-8. */
const MAX_SIGNER_BYTES = 40;
/** Maximum number of signatures of a manifest. */
export const MAX_SIGNATURES = 4;
/** Maximum number of pinned keys. */
const MAX_PINNED_KEYS = 8;
export const MAX_SIGNATURE_FILE_BYTES =
  MAGIC.length + MAX_SIGNATURES * (HEAD_BYTES + MAX_SIGNER_BYTES + SIGNATURE_BYTES);
/** Highest sequence and highest time: the end of the year 9999 in seconds since 1970. */
const MAX_NUMBER = 253_402_300_799;

export interface PublicKey {
  readonly type: KeyType;
  readonly bytes: Uint8Array;
}

/** The content of a signature. All of it is signed. */
export interface SignatureFacts {
  readonly type: KeyType;
  /** As from `keyIdOf`. */
  readonly keyId: string;
  /**
   * Increases with each manifest that is signed. A reader refuses another manifest unless its sequence is higher than
   * that of the last accepted one.
   */
  readonly sequence: number;
  /** Seconds since 1970. */
  readonly signedAt: number;
  /** Name of the signer, may be empty. Until the signature is verified, it may contain any characters. */
  readonly signer: string;
}

/** A signature with what it says of itself. `bytes` is the raw signature. */
export interface ManifestSignature extends SignatureFacts {
  readonly bytes: Uint8Array;
}

interface StoredSignature extends ManifestSignature {
  /** The facts as they are stored and signed. */
  readonly head: Uint8Array;
}

/** The last manifest that a reader accepted. */
export interface SeenManifest {
  readonly sequence: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
}

/**
 * Thrown if no pinned key signed a manifest, if the signature file is damaged, or if the manifest is older than the
 * last accepted one.
 */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
  /** Stable code, listed in the error reference. */
  readonly code = "CAIRN_E_SIGNATURE";
}

/** Returns the path of the signatures of the manifest whose file has this SHA-256. */
export function signaturePath(sha256: string): string {
  return `kept/${sha256.slice(0, 16)}.sig`;
}

/**
 * Parses 1 to 8 public keys such as `ed25519:…` or `p256:…` in base64url, separated by spaces or commas. Throws for an
 * invalid key or another number of keys.
 */
export function parseKeys(given: string | readonly string[]): readonly PublicKey[] {
  const texts = [given].flat().flatMap((text) =>
    String(text)
      .split(/[\s,]+/)
      .filter((part) => part !== ""),
  );
  if (texts.length === 0 || texts.length > MAX_PINNED_KEYS)
    throw new Error(`${texts.length} keys, expected 1 to ${MAX_PINNED_KEYS}`);
  return texts.map((text) => {
    const [name = "", value = ""] = text.split(":");
    const type = TYPES.find((known) => known === name);
    const bytes = type && bytesOfText(value);
    if (!type || bytes?.length !== KINDS[type].bytes)
      throw new Error(
        `key ${JSON.stringify(text.slice(0, 100))}, expected ed25519: or p256: and a public key in base64url`,
      );
    return { type, bytes };
  });
}

/** Returns the key as text, such as `ed25519:…`. `parseKeys` reads it. */
export function keyText({ type, bytes }: PublicKey): string {
  const text = btoa(String.fromCharCode(...bytes));
  return `${type}:${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function bytesOfText(text: string): Uint8Array | undefined {
  if (!/^[\w-]{1,100}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the id of the key: the first 8 bytes of the SHA-256 of its type code and its bytes, in hexadecimal. */
export async function keyIdOf({ type, bytes }: PublicKey): Promise<string> {
  const hash = await sha256Of(joinBytes([Uint8Array.of(KINDS[type].code), bytes]));
  return hash.slice(0, 2 * KEY_ID_BYTES);
}

/**
 * Returns the bytes that a key signs: the SHA-256 of the manifest's file, and the facts. Throws if a fact is invalid.
 */
export function signedBytes(facts: SignatureFacts, manifestSha256: string): Uint8Array {
  return signedWith(headOf(facts), manifestSha256);
}

function signedWith(head: Uint8Array, manifestSha256: string): Uint8Array {
  return joinBytes([toUtf8(`${PURPOSE}\n${manifestSha256}\n`), head]);
}

/** Returns the bytes of a signature file. Throws unless there are 1 to 4 signatures, or if a fact is invalid. */
export function writeSignatures(signatures: readonly ManifestSignature[]): Uint8Array {
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES)
    throw new Error(`${signatures.length} signatures, expected 1 to ${MAX_SIGNATURES}`);
  return joinBytes([toUtf8(MAGIC), ...signatures.flatMap((one) => [headOf(one), one.bytes])]);
}

/** Returns the name unchanged. Throws if it has more than 40 bytes of UTF-8 or characters that are not printable. */
export function parseSigner(signer: string): string {
  if (toUtf8(signer).length > MAX_SIGNER_BYTES || !isPlain(signer))
    throw new Error(`signer ${JSON.stringify(signer)}, expected at most ${MAX_SIGNER_BYTES} bytes of printable text`);
  return signer;
}

function headOf({ type, keyId, sequence, signedAt, signer }: SignatureFacts): Uint8Array {
  const name = toUtf8(parseSigner(signer));
  for (const [what, value] of Object.entries({ sequence, signedAt })) {
    if (!Number.isSafeInteger(value) || value < 0 || value > MAX_NUMBER)
      throw new Error(`${what} is ${value}, expected a whole number from 0 to ${MAX_NUMBER}`);
  }
  return joinBytes([
    Uint8Array.of(KINDS[type].code),
    hexBytes(keyId),
    ...[sequence, signedAt].map((number) => hexBytes(number.toString(16).padStart(2 * NUMBER_BYTES, "0"))),
    Uint8Array.of(name.length),
    name,
  ]);
}

/** Returns whether a name has no control or direction characters, which could change how a line looks. */
export function isPlain(name: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(name);
}

/**
 * Returns the signatures of a signature file. Throws `SignatureError` if the file is damaged. Does not verify the
 * signatures.
 */
export function readSignatures(file: Uint8Array): readonly StoredSignature[] {
  const found: StoredSignature[] = [];
  let at = MAGIC.length;
  const take = (length: number) => {
    at += length;
    return file.subarray(at - length, at);
  };
  const number = () => Number.parseInt(hexOf(take(NUMBER_BYTES)), 16);
  let isSound = fromUtf8(file.subarray(0, at)) === MAGIC;
  while (isSound && at < file.length && found.length < MAX_SIGNATURES) {
    const start = at;
    const [code] = take(1);
    const type = TYPES.find((known) => KINDS[known].code === code);
    const keyId = hexOf(take(KEY_ID_BYTES));
    const [sequence, signedAt] = [number(), number()];
    const [length = 0] = take(1);
    const signer = fromUtf8(take(length));
    const head = file.subarray(start, at);
    const bytes = take(SIGNATURE_BYTES);
    isSound = sequence <= MAX_NUMBER && signedAt <= MAX_NUMBER;
    if (isSound && type) found.push({ type, keyId, sequence, signedAt, signer, head, bytes });
    isSound &&= type !== undefined;
  }
  if (!isSound || at !== file.length || found.length === 0)
    throw new SignatureError(`the file of the signature is damaged: ${file.length} bytes`);
  return found;
}

/**
 * Returns the facts of the first signature of these manifest bytes by one of the keys. `file` is the signature file.
 * Throws `SignatureError` if the file is damaged or none of the keys signed these bytes.
 */
export async function verifyManifest(
  manifest: Uint8Array,
  file: Uint8Array,
  { keys }: { readonly keys: readonly PublicKey[] },
): Promise<SignatureFacts> {
  const signatures = readSignatures(file);
  const sha256 = await sha256Of(manifest);
  let fault: string | undefined;
  const ids: string[] = [];
  for (const key of keys) {
    const id = await keyIdOf(key);
    ids.push(id);
    for (const { bytes, head, ...facts } of signatures) {
      if (facts.keyId !== id) continue;
      fault = await faultOf(bytes, signedWith(head, sha256), key);
      if (fault === undefined) return facts;
    }
  }
  const signers = signatures.map(({ keyId }) => keyId);
  throw new SignatureError(fault ?? `manifest.json is signed by the key ${signers}, expected ${ids.join(" or ")}`);
}

async function faultOf(
  signature: Uint8Array,
  signed: Uint8Array,
  { type, bytes }: PublicKey,
): Promise<string | undefined> {
  const { algorithm } = KINDS[type];
  let key: object;
  try {
    key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  } catch {
    return `no ${type} in this browser, or the pinned key is invalid`;
  }
  const isRight = await crypto.subtle.verify(algorithm, key, signature, signed);
  return isRight ? undefined : "the signature is not of this manifest.json";
}

/**
 * Throws `SignatureError` if a reader must refuse the manifest with these facts and this SHA-256, because it accepted
 * `seen` before: another manifest whose sequence is not lower. Does nothing if `seen` is undefined or the same
 * manifest.
 */
export function requireNewer(
  facts: Pick<SignatureFacts, "sequence">,
  sha256: string,
  seen: SeenManifest | undefined,
): void {
  if (!seen || seen.sha256 === sha256 || facts.sequence > seen.sequence) return;
  throw new SignatureError(
    `manifest.json has the sequence ${facts.sequence}, expected more than ${seen.sequence}: the host sends an older release`,
  );
}
