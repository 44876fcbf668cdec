/** Reads a manifest that a pinned key signed. @module */

import { sha256Of } from "../../data/format/sha256.ts";
import { parseKeys, requireNewer, SignatureError, signaturePath, verifyManifest } from "../../data/format/signature.ts";
import { CairnError, messageOf } from "./error.ts";
import type { Files } from "./files.ts";
import type { OpenOptions, Signature } from "./types.ts";

interface Signed {
  /** The file of the manifest. */
  readonly bytes: Uint8Array;
  readonly signature: Signature;
}

/** Returns the manifest. Throws if none of the keys signed it, or if its sequence is too low. */
export async function readSigned(files: Files, key: NonNullable<OpenOptions["key"]>, minSequence = 0): Promise<Signed> {
  const keys = pinned(key);
  if (!Number.isSafeInteger(minSequence) || minSequence < 0)
    throw new CairnError(`minSequence is ${minSequence}, expected a whole number from 0`);
  const attempt = async (bytes: Uint8Array): Promise<Signed> => {
    const sha256 = await sha256Of(bytes);
    const facts = await verifyManifest(bytes, await files.whole(signaturePath(sha256)), { keys });
    requireNewer(facts, sha256, { sequence: minSequence - 1, sha256: "" });
    const { keyId, signer, signedAt, sequence } = facts;
    return { bytes, signature: { keyId, signer, sequence, signedAt: new Date(signedAt * 1000) } };
  };
  const bytes = await files.manifest();
  return attempt(bytes).catch(async (cause: unknown) => {
    // a release may have been published meanwhile
    const again = await files.manifest();
    if ((await sha256Of(again)) === (await sha256Of(bytes))) throw refusal(cause);
    return attempt(again).catch((later: unknown) => {
      throw refusal(later);
    });
  });
}

function pinned(key: NonNullable<OpenOptions["key"]>): ReturnType<typeof parseKeys> {
  try {
    return parseKeys(key);
  } catch (cause) {
    throw new CairnError(messageOf(cause), { cause });
  }
}

function refusal(cause: unknown): CairnError {
  const reason = cause instanceof SignatureError ? messageOf(cause) : `its signature is missing: ${messageOf(cause)}`;
  return new CairnError(`the dataset is refused: ${reason}`, { code: "CAIRN_E_SIGNATURE", cause });
}
