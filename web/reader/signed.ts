/** Reads a manifest that a pinned key signed. @module */

import { sha256Of } from "../../data/format/sha256.ts";
import { parseKeys, requireNewer, SignatureError, signaturePath, verifyManifest } from "../../data/format/signature.ts";
import { CairnError, messageOf, named } from "./error.ts";
import type { Files } from "./files.ts";
import type { OpenOptions, Signature } from "./types.ts";

interface Signed {
  /** The file of the manifest. */
  readonly bytes: Uint8Array;
  readonly signature: Signature;
}

/** Returns the manifest. Throws if none of the keys signed it, or if its sequence is too low. */
export async function readSigned(
  files: Files,
  key: NonNullable<OpenOptions["key"]>,
  minSequence: number,
): Promise<Signed> {
  const keys = await named("key", () => parseKeys(key));
  for (let refused: string | undefined; ; ) {
    const bytes = await files.manifest();
    const sha256 = await sha256Of(bytes);
    try {
      const file = await files.whole(signaturePath(sha256));
      const { keyId, signer, signedAt, sequence } = await verifyManifest(bytes, file, { keys });
      requireNewer({ sequence }, sha256, { sequence: minSequence - 1, sha256: "" });
      return { bytes, signature: { keyId, signer, sequence, signedAt: new Date(signedAt * 1000) } };
    } catch (cause) {
      // once more: a release may have been published meanwhile
      const isFinal = refused !== undefined;
      refused = cause instanceof SignatureError ? cause.message : `no signature: ${messageOf(cause)}`;
      if (isFinal) throw new CairnError(`the dataset is refused: ${refused}`, { code: "CAIRN_E_SIGNATURE", cause });
    }
  }
}
