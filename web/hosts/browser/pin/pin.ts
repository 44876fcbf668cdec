/** Refuses manifests that no pinned key signed, and manifests older than one that this browser has accepted. @module */
import type { Manifest } from "../../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import {
  keyIdOf,
  MAX_SIGNATURE_FILE_BYTES,
  parseKeys,
  SignatureError,
  type SignatureFacts,
  signaturePath,
  verifyManifest,
} from "../../../../data/format/signature.ts";
import { fromUtf8 } from "../../../../data/format/utf8.ts";
import { type ByteSource, FetchError } from "../../../engine/index.ts";
import type { Pin } from "../storage/index.ts";
import { type Accepted, openPinMemory, type PinMemory } from "./pin-memory.ts";

/**
 * Opens the pin of the dataset in this folder. Throws for an invalid key. Its methods reject with `SignatureError` for a manifest
 * that is refused.
 */
export function openPin(folder: URL, key: string | readonly string[], memory: PinMemory = openPinMemory(folder)): Pin {
  const keys = parseKeys(key);
  const keyIds = Promise.all(keys.map(keyIdOf));

  async function signatureOf(bytes: Uint8Array, source: ByteSource, signal?: AbortSignal) {
    const sha256 = await sha256Of(bytes);
    const path = signaturePath(sha256);
    const file = await source.read(path, { fresh: true, maxBytes: MAX_SIGNATURE_FILE_BYTES, signal }).catch((cause) => {
      const isMissing = cause instanceof FetchError && cause.status !== undefined && cause.status < 500;
      throw isMissing ? new SignatureError(`${MANIFEST_PATH} is not signed: ${path} is missing`, { cause }) : cause;
    });
    const facts = await verifyManifest(bytes, file, { keys });
    const { sha256: manifest } = JSON.parse(fromUtf8(bytes)) as Pick<Manifest, "sha256">;
    return { sha256, manifest, facts } satisfies Accepted;
  }

  return {
    async readManifest(source, options) {
      const check = async (bytes: Uint8Array) =>
        memory.advance(await signatureOf(bytes, source, options?.signal), await keyIds);
      const bytes = await source.read(MANIFEST_PATH, options);
      try {
        await check(bytes);
        return bytes;
      } catch (error) {
        if (!(error instanceof SignatureError)) throw error;
        // a release may have been published meanwhile
        const again = await source.read(MANIFEST_PATH, options);
        if ((await sha256Of(again)) === (await sha256Of(bytes))) throw error;
        await check(again);
        return again;
      }
    },
    async factsOf({ sha256 }): Promise<SignatureFacts | undefined> {
      return (await memory.find(sha256, await keyIds))?.facts;
    },
    async vouch(manifest, source) {
      if (await memory.find(manifest.sha256, await keyIds)) return;
      await memory.add(await signatureOf(await writeManifestFile(manifest), source), await keyIds);
    },
  };
}
