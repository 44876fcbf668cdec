/**
 * Checks who signed the published release, and whether the page accepts the signature.
 * @module
 */
import { sha256Of } from "../../../data/format/sha256.ts";
import { MAX_SIGNATURE_FILE_BYTES, type PublicKey, signaturePath } from "../../../data/format/signature.ts";
import { checkSigned, signatureLine } from "../sign/index.ts";
import { type Ask, contentOf } from "./ask.ts";
import type { Finding } from "./check-answer.ts";
import type { Dataset } from "./site.ts";

interface SignatureCheck {
  /** One line for people about each signature. */
  readonly lines: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Requests the signatures of the manifest. With keys, there is a finding unless one of them signed it. Without keys,
 * the signatures are not checked.
 */
export async function checkSignature(
  { base, manifest, manifestAnswer }: Dataset,
  keys: readonly PublicKey[] | undefined,
  ask: Ask,
): Promise<SignatureCheck> {
  const bytes = Uint8Array.from(contentOf(manifestAnswer));
  const path = signaturePath(await sha256Of(bytes));
  const answer = await ask(new URL(path, base), undefined, MAX_SIGNATURE_FILE_BYTES + 1);
  const content = answer.status === 200 ? Uint8Array.from(contentOf(answer)) : undefined;
  // Some hosts answer with a page instead of 404.
  const file = keys || content?.[0] !== "<".charCodeAt(0) ? content : undefined;
  const { signatures, fault } = await checkSigned(bytes, file, { path, keys });
  const lines = signatures.map(
    (one) => `release ${manifest.release} ${signatureLine(one)}${keys ? "" : ", not checked"}`,
  );
  if (fault === undefined) return { lines, findings: [] };
  return {
    lines,
    findings: [
      {
        check: "signature",
        what: `${base}: ${fault}`,
        advice: "sign the dataset with cairn sign and the private key of the pinned key, then upload it again",
      },
    ],
  };
}
