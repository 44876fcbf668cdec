/**
 * A byte source with the delays of a network.
 * @module
 */
import type { ByteSource } from "../../../web/engine/index.ts";

export interface Network {
  readonly latencyMs: number;
  /** 0 is as fast as the disk. */
  readonly megabitsPerSecond: number;
}

/** Delays each answer by the latency. All answers share the bandwidth. */
export function slowSource(inner: ByteSource, { latencyMs, megabitsPerSecond }: Network): ByteSource {
  if (latencyMs === 0 && megabitsPerSecond === 0) return inner;
  const bytesPerMs = megabitsPerSecond === 0 ? Number.POSITIVE_INFINITY : (megabitsPerSecond * 1000) / 8;
  let freeAt = 0;
  return {
    ...inner,
    async read(path, options) {
      const asked = performance.now();
      const bytes = await inner.read(path, options);
      freeAt = Math.max(freeAt, asked + latencyMs) + bytes.length / bytesPerMs;
      const wait = freeAt - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      return bytes;
    },
  };
}
