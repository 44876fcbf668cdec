/** Checks who signed a dataset: a module of its own, because many programs do not need it. @module */
import { sha256Of } from "../../data/format/sha256.ts";
import { parseKeys, requireNewer, SignatureError, verifyManifest } from "../../data/format/signature.ts";
import type { PinnedKeys } from "./types.ts";

/** Options of `pinned`. */
export interface PinnedOptions {
  /** Least accepted sequence: the `signature.sequence` of the last opened release. A lower one is refused. Default: 0. */
  readonly minSequence?: number | undefined;
}

/**
 * Returns the option `pinned` of `open`. One of these public keys, such as `ed25519:…`, must have signed the dataset, otherwise
 * `open` throws `CairnError` with the code `CAIRN_E_SIGNATURE`. Throws `RangeError` for an invalid key or `minSequence`.
 */
export function pinned(key: string | readonly string[], { minSequence = 0 }: PinnedOptions = {}): PinnedKeys {
  const keys = parsed(key);
  if (!Number.isSafeInteger(minSequence) || minSequence < 0)
    throw new RangeError(`minSequence is ${minSequence}, expected a whole number from 0 on`);
  return {
    async verify(manifest, file) {
      try {
        const { keyId, signer, signedAt, sequence } = await verifyManifest(manifest, file, { keys });
        requireNewer({ sequence }, await sha256Of(manifest), { sequence: minSequence - 1, sha256: "" });
        return { keyId, signer, sequence, signedAt: new Date(signedAt * 1000) };
      } catch (cause) {
        if (cause instanceof SignatureError) return cause.message;
        throw cause;
      }
    },
  };
}

function parsed(key: string | readonly string[]): ReturnType<typeof parseKeys> {
  try {
    return parseKeys(key);
  } catch (cause) {
    throw new RangeError((cause as Error).message, { cause });
  }
}
