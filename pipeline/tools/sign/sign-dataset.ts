/** Signs a dataset: writes a file of signatures for its manifest. @module */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { KEPT_FOLDER, MANIFEST_PATH } from "../../../data/format/paths.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import {
  isPlain,
  keyIdOf,
  MAX_SIGNATURES,
  type ManifestSignature,
  type PublicKey,
  readSignatures,
  SignatureError,
  type SignatureFacts,
  signaturePath,
  verifyManifest,
  writeSignatures,
} from "../../../data/format/signature.ts";
import { lockDataset, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { SigningKey } from "./private-key.ts";

interface SignOptions {
  readonly dataset: string;
  readonly key: SigningKey;
  /** Name of the signer in the signature. Default: none. */
  readonly signer?: string | undefined;
  /**
   * Number that grows with each signed release. Default: that of the other signatures of this manifest; otherwise
   * seconds since 1970, but at least one more than the last number in the folder.
   */
  readonly sequence?: number | undefined;
  /** Time of the signature in seconds since 1970. Default: now. */
  readonly nowSeconds?: number | undefined;
}

interface SignReport extends SignatureFacts {
  readonly release: string;
  /** Path of the file of signatures, relative to the dataset. */
  readonly path: string;
}

/**
 * Signs the manifest of the dataset. Signatures of this manifest by other keys stay, those of older manifests are
 * removed. Throws if they have another sequence, if the sequence of older manifests is not lower, or if there are too
 * many signatures.
 */
export async function signDataset(options: SignOptions): Promise<SignReport> {
  const { dataset, key, signer = "", nowSeconds = Math.floor(Date.now() / 1000) } = options;
  const lock = await lockDataset(dataset);
  try {
    const { bytes, sha256 } = await readManifest(dataset);
    const { release } = await readManifestFile(bytes, join(dataset, MANIFEST_PATH));
    const path = signaturePath(sha256);
    const found = await signaturesIn(dataset);
    const keyId = await keyIdOf(key.public);
    const all = found.get(path) ?? [];
    const others = all.filter((signature) => signature.keyId !== keyId);
    if (others.length >= MAX_SIGNATURES)
      throw new CodedError("CAIRN_E_SIGNATURE", `${dataset} already has the maximum of ${MAX_SIGNATURES} signatures`);
    const last = Math.max(0, ...[...found.values()].flat().map(({ sequence }) => sequence));
    const sequence = all[0]?.sequence ?? options.sequence ?? Math.max(nowSeconds, last + 1);
    if (options.sequence !== undefined && options.sequence !== sequence)
      throw new CodedError("CAIRN_E_SIGNATURE", `${dataset}: this manifest has the sequence ${sequence} already`);
    if (all.length === 0 && sequence <= last)
      throw new CodedError("CAIRN_E_SIGNATURE", `--sequence ${sequence}: expected more than ${last}, the last one`);
    const signature = await key.sign({ sequence, signedAt: nowSeconds, signer }, sha256);
    const file = writeSignatures([signature, ...others]);
    // what this program writes, its readers accept
    const facts = await verifyManifest(bytes, file, { keys: [key.public] });
    await writeWhole(join(dataset, path), file);
    for (const older of found.keys()) if (older !== path) await rm(join(dataset, older), { force: true });
    return { release, path, ...facts };
  } finally {
    await lock.release();
  }
}

/** Removes all signatures in a dataset, because its manifest changed. */
export async function removeSignatures(dataset: string): Promise<void> {
  for (const path of await signatureFiles(dataset)) await rm(join(dataset, path), { force: true });
}

interface SignedRelease {
  /** Path of the file of signatures, relative to the dataset. Undefined if the manifest is not signed. */
  readonly path?: string;
  readonly signatures: readonly SignatureFacts[];
  /** Why the signatures are not accepted; undefined if they are, or if there are no keys and no damage. */
  readonly fault?: string;
}

/**
 * Reads the signatures of the manifest of a dataset. With keys, `fault` is set unless one of them signed the manifest.
 * Without keys, signatures are not verified. Throws if the folder is not a dataset.
 */
export async function readSigned(dataset: string, keys: readonly PublicKey[] | undefined): Promise<SignedRelease> {
  const { bytes, sha256 } = await readManifest(dataset);
  const path = signaturePath(sha256);
  const file = await readFile(join(dataset, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return checkSigned(bytes, file, { path, keys });
}

/**
 * Checks the bytes of a manifest and of its file of signatures (undefined if there is none). With keys, `fault` is set
 * unless one of them signed the manifest. Without keys, signatures are not verified.
 */
export async function checkSigned(
  manifest: Uint8Array,
  file: Uint8Array | undefined,
  { path, keys }: { readonly path: string; readonly keys: readonly PublicKey[] | undefined },
): Promise<SignedRelease> {
  if (!file) {
    const fault = keys && `${MANIFEST_PATH} is not signed: ${path} is missing`;
    return { signatures: [], ...(fault === undefined ? {} : { fault }) };
  }
  let signatures: readonly SignatureFacts[] = [];
  try {
    signatures = readSignatures(file).map(({ head: _, bytes: __, ...facts }) => facts);
    if (keys) await verifyManifest(manifest, file, { keys });
    return { path, signatures };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { path, signatures, fault: `${path}: ${error.message}` };
  }
}

async function readManifest(dataset: string) {
  const bytes = Uint8Array.from(
    await readFile(join(dataset, MANIFEST_PATH)).catch((cause: unknown) => {
      throw new CodedError("CAIRN_E_DATA", `${dataset} is not a dataset: it has no ${MANIFEST_PATH}`, { cause });
    }),
  );
  return { bytes, sha256: await sha256Of(bytes) };
}

async function signatureFiles(dataset: string): Promise<string[]> {
  const names = await readdir(join(dataset, KEPT_FOLDER)).catch((): string[] => []);
  return names.filter((name) => /^[0-9a-f]{16}\.sig$/.test(name)).map((name) => `${KEPT_FOLDER}/${name}`);
}

/** Returns the signatures of all manifests by path of the file. A damaged file has none. */
async function signaturesIn(dataset: string): Promise<Map<string, readonly ManifestSignature[]>> {
  const found = new Map<string, readonly ManifestSignature[]>();
  for (const path of await signatureFiles(dataset)) {
    try {
      found.set(path, readSignatures(Uint8Array.from(await readFile(join(dataset, path)))));
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      found.set(path, []);
    }
  }
  return found;
}

/** Returns a line for people with the signer, the key, the time and the sequence. */
export function signatureLine({ type, keyId, signer, signedAt, sequence }: SignatureFacts): string {
  // an unverified name could change how the terminal shows the line
  const who = signer !== "" && isPlain(signer) ? `${signer} (key ${keyId})` : `key ${keyId}`;
  return `signed by ${who}, ${type}, on ${new Date(signedAt * 1000).toISOString()}, sequence ${sequence}`;
}
