/**
 * Fewer vain tries while nobody answers: drawing a map without a network asks for many files that are not here, and each
 * would wait for its second and third try.
 * @module
 */
import { FetchError } from "../../../engine/errors.ts";
import type { ByteSource } from "../../../engine/ports.ts";

/** Longer than the tries of one file take, shorter than a person waits before trying again. */
const OUTAGE_MS = 3000;

/** Reads by `patient`; for a moment after nobody answered by `hasty`, which tries once. Each read is a real try. */
export function outageAware(
  patient: ByteSource,
  hasty: ByteSource,
  nowMs: () => number = () => performance.now(),
): ByteSource {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return {
    name: patient.name,
    async read(path, options) {
      const isOut = nowMs() - failedAtMs < OUTAGE_MS;
      try {
        const bytes = await (isOut ? hasty : patient).read(path, options);
        failedAtMs = Number.NEGATIVE_INFINITY;
        return bytes;
      } catch (error) {
        if (error instanceof FetchError && error.isUnanswered) failedAtMs = nowMs();
        throw error;
      }
    },
  };
}
