/** Reduces retries while the host does not answer: a map drawn offline requests many missing files. @module */
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { type ByteSource, FetchError } from "../../../engine/index.ts";
import type { HostAnswer } from "../protocol/index.ts";

/**
 * How long after a failure files are tried once only. Longer than all tries of one file take, shorter than the time after which a
 * person tries again.
 */
const OUTAGE_MS = 3000;

interface OutageOptions {
  readonly patient: ByteSource;
  readonly hasty: ByteSource;
  readonly onAnswer?: (answer: HostAnswer) => void;
  readonly nowMs?: () => number;
}

/**
 * Returns a source that reads from `patient`. For three seconds after a request without an answer, it reads from `hasty`, which
 * does not retry.
 */
export function outageAware(options: OutageOptions): ByteSource {
  const { patient, hasty, onAnswer = () => {}, nowMs = () => performance.now() } = options;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return {
    ...patient,
    async read(path, options) {
      const isOut = nowMs() - failedAtMs < OUTAGE_MS;
      try {
        const bytes = await (isOut ? hasty : patient).read(path, options);
        failedAtMs = Number.NEGATIVE_INFINITY;
        onAnswer(path !== MANIFEST_PATH ? "perhaps" : isObject(bytes) ? "answered" : "faulty");
        return bytes;
      } catch (error) {
        if (error instanceof FetchError && error.isUnanswered) {
          failedAtMs = nowMs();
          onAnswer("silent");
        } else if (error instanceof FetchError) onAnswer(path === MANIFEST_PATH ? "faulty" : "perhaps");
        throw error;
      }
    },
  };
}

/** Whether the bytes begin like a JSON object. The login page of a network does not. */
function isObject(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 16)).trimStart().startsWith("{");
}
