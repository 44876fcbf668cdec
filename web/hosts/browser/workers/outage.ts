/** Reduces retries during an outage: a map drawn offline requests many missing files, each with three tries. @module */
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { type ByteSource, FetchError } from "../../../engine/index.ts";
import type { HostAnswer } from "../protocol/index.ts";

/** Longer than the tries of one file take, shorter than the time after which a person tries again. */
const OUTAGE_MS = 3000;

interface OutageOptions {
  readonly patient: ByteSource;
  readonly hasty: ByteSource;
  readonly onAnswer?: (answer: HostAnswer) => void;
  readonly nowMs?: () => number;
}

/** Returns a source that tries files once while the host does not answer. */
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

/** Whether the bytes may be a JSON object. The login page of a network is not. */
function isObject(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 16)).trimStart().startsWith("{");
}
