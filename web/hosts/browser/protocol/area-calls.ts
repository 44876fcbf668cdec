import type { BBox } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { AreaPack } from "../../../../data/format/packs-list.ts";
import type { AreaSelection, AreaShape } from "../../../engine/index.ts";

interface SavedRelease {
  readonly release: string;
  /** SHA-256 in the manifest. Two builds of the same release have different ones. */
  readonly sha256: string;
  readonly files: number;
  readonly bytes: number;
  readonly savedAtMs: number;
}

export interface Area {
  readonly id: string;
  readonly name: string;
  readonly selection: AreaSelection;
  readonly createdAtMs: number;
  readonly saved?: SavedRelease;
  /** Whether the area is being saved or updated. Stays true after an interruption. */
  readonly isUnfinished: boolean;
}

/** What the user chooses for a new area. Which base map tiles it needs follows from it. */
export interface AreaChoice {
  readonly shape: AreaShape;
  readonly collections: readonly CollectionName[];
  readonly hasNames: boolean;
  readonly hasBaseMap: boolean;
}

export interface AreaSize {
  readonly files: number;
  readonly bytes: number;
  readonly missingFiles: number;
  readonly missingBytes: number;
  /** Free storage of the browser in bytes; undefined if the browser does not report it. */
  readonly freeBytes: number | undefined;
}

export interface AreaOverview {
  readonly areas: readonly Area[];
  readonly boxes: Readonly<Record<string, BBox>>;
  readonly areaBytes: number;
  /** Bytes of cached data that belongs to no area. What was used least recently is deleted first. */
  readonly seenBytes: number;
  readonly usedBytes: number | undefined;
  readonly quotaBytes: number | undefined;
}

export interface SaveProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/**
 * How saving ended. After `offline` and `full` another call continues where it stopped. `elsewhere`: another tab or worker is
 * saving the area. `cancelled`: the area was removed, or its update was cancelled.
 */
export type SaveResult =
  | { readonly kind: "saved" }
  | { readonly kind: "offline" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number }
  /** The host no longer has a file of the release being saved. A new call saves the current release. */
  | { readonly kind: "gone" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "cancelled" };

/** Name of the BroadcastChannel on which tabs announce that the list of areas changed. */
export const AREAS_CHANNEL = "cairn-areas";

export type ImportResult = SaveResult | { readonly kind: "damaged"; readonly reason: string };

export interface AreaCalls {
  areas: { argument: undefined; value: AreaOverview };
  /** Estimates the size of an area from the index alone. Rejects with `FetchError` when the index cannot be read. */
  measureArea: { argument: AreaChoice; value: AreaSize };
  addArea: { argument: { readonly name: string; readonly choice: AreaChoice }; value: Area };
  saveArea: { argument: string; value: SaveResult; progress: SaveProgress };
  /** Discards an unfinished update, or an area that was never saved completely. */
  cancelArea: { argument: string; value: undefined };
  /** Renames an area. Does nothing for an area that was deleted meanwhile. */
  renameArea: { argument: { readonly id: string; readonly name: string }; value: undefined };
  removeArea: { argument: string; value: undefined };
  /** Writes the area into the file. Without a file, returns it as a blob. */
  exportArea: {
    argument: { readonly id: string; readonly file?: FileSystemFileHandle | undefined };
    value: Blob | undefined;
    progress: SaveProgress;
  };
  importArea: { argument: Blob; value: ImportResult; progress: SaveProgress };
}

export interface PackCalls {
  /** Returns the area files that the site offers; empty if it has no list. Rejects when the list cannot be read. */
  packs: { argument: undefined; value: readonly AreaPack[] };
  /** Fetches an area file, checks its size and SHA-256, and imports it. */
  takePack: { argument: AreaPack; value: ImportResult; progress: SaveProgress };
}
