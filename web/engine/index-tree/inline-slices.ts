/** Slices that the manifest itself contains: what the first search of a small collection needs. @module */
import { bytesOfBase64 } from "../../../data/format/bytes.ts";
import type { Manifest, Slice } from "../../../data/format/manifest.ts";
import type { ByteSource } from "../contract/ports.ts";

const decoded = new WeakMap<Manifest, Map<string, Uint8Array>>();

/** Returns whether the manifest contains the slice. */
export function isInline({ collections }: Manifest, { sha256 }: Pick<Slice, "sha256">): boolean {
  return Object.values(collections).some(({ inline = {} }) => Object.hasOwn(inline, sha256));
}

/** Returns a source that returns the manifest's own slices without a request. It does not check them: the caller must. */
export function withInlineSlices(source: ByteSource, manifest: Manifest): ByteSource {
  const { requestBytes } = source;
  return {
    name: source.name,
    async read(path, options = {}) {
      const { sha256, within, range, fresh = false } = options;
      const key = sha256 ?? within?.sha256;
      const slice = fresh || !range || key === undefined ? undefined : inlineSlice(manifest, key);
      if (!slice || !range) return source.read(path, options);
      const start = within ? range.start - within.offset : 0;
      return slice.slice(start, start + range.end - range.start);
    },
    ...(requestBytes ? { requestBytes: () => requestBytes.call(source) } : {}),
  };
}

function inlineSlice(manifest: Manifest, sha256: string): Uint8Array | undefined {
  const known = decoded.get(manifest) ?? new Map<string, Uint8Array>();
  decoded.set(manifest, known);
  const found = known.get(sha256);
  if (found) return found;
  for (const { inline = {} } of Object.values(manifest.collections)) {
    const text = Object.hasOwn(inline, sha256) ? inline[sha256] : undefined;
    if (text === undefined) continue;
    const slice = decode(text);
    if (slice) known.set(sha256, slice);
    return slice;
  }
  return undefined;
}

/** Undefined if the text is not in base64: the pack has the slice too. */
function decode(text: string): Uint8Array | undefined {
  try {
    return bytesOfBase64(text);
  } catch {
    return undefined;
  }
}
