/**
 * A source as far away as a network makes it.
 * @module
 */
import type { ByteSource } from "../../../web/engine/index.ts";

export interface Network {
  readonly latencyMs: number;
  /** 0 is as fast as the disk. */
  readonly megabitsPerSecond: number;
}

/** Each answer comes after the latency, and its bytes one after the other with those of all others. */
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
