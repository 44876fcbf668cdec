import { type Manifest, parseManifest } from "../../../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import type { KeptDataset } from "../storage/index.ts";
import { sweep } from "./sweep.ts";

export interface ReleaseKeeper {
  use(manifest: Manifest): Promise<void>;
  /** Removes files that the release does not have, unless an area holds them or another tab uses another release. */
  tidy(manifest: Manifest): Promise<void>;
}

/** Of the dataset in this folder. Browsers without locks keep what they have until it is the least recently used. */
export function createReleaseKeeper(folder: URL, kept: KeptDataset): ReleaseKeeper {
  const prefix = `cairn-release ${folder.href} `;
  let held: { readonly name: string; readonly release: () => void } | undefined;

  async function use(manifest: Manifest): Promise<void> {
    const name = prefix + (await fingerprint(manifest));
    if (!navigator.locks || held?.name === name) return;
    held?.release();
    const end = new Promise<void>((release) => {
      held = { name, release };
    });
    await new Promise<void>((taken) => {
      void navigator.locks.request(name, { mode: "shared" }, () => {
        taken();
        return end;
      });
    });
  }

  return {
    use,
    async tidy(manifest) {
      if (!navigator.locks) return;
      await use(manifest);
      const { held: all = [] } = await navigator.locks.query();
      if (all.some(({ name = "" }) => name.startsWith(prefix) && name !== held?.name)) return;
      // a saved area's manifest, opened without a network, knows nothing of what the host has
      const seen = await kept.files.read(MANIFEST_PATH);
      if (!seen || JSON.stringify(parse(seen.bytes)) !== JSON.stringify(manifest)) return;
      await sweep(manifest, kept);
    },
  };
}

function parse(bytes: Uint8Array): Manifest | undefined {
  try {
    return parseManifest(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

async function fingerprint(manifest: Manifest): Promise<string> {
  return (await sha256Of(new TextEncoder().encode(JSON.stringify(manifest)))).slice(0, 16);
}
