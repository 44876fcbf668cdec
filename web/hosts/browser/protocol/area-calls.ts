import type { BBox } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { AreaPack } from "../../../../data/format/packs-list.ts";
import type { AreaSelection, AreaShape } from "../../../engine/index.ts";

export interface SavedRelease {
  readonly release: string;
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
  /** Whether it is being saved or updated; stays true through any interruption. */
  readonly isUnfinished: boolean;
}

/** What a person chooses; the map's ground is worked out from it. */
export interface AreaChoice {
  readonly shape: AreaShape;
  readonly collections: readonly CollectionName[];
  readonly hasNames: boolean;
  readonly hasGround: boolean;
}

export interface AreaSize {
  readonly files: number;
  readonly bytes: number;
  /** Of those, what is not here yet. */
  readonly missingFiles: number;
  readonly missingBytes: number;
  /** What the browser would still take; undefined where it does not tell. */
  readonly freeBytes: number | undefined;
}

export interface AreaOverview {
  readonly areas: readonly Area[];
  readonly boxes: Readonly<Record<string, BBox>>;
  readonly areaBytes: number;
  /** What was seen and belongs to no area: it leaves when it is the least recently used. */
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

/** How a saving ended. `offline` and `full` go on where they stopped when they are begun again. */
export type SaveResult =
  | { readonly kind: "saved" }
  | { readonly kind: "offline" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number }
  /** The host no longer has a file of the release that was being saved: begun again, the saving takes the present one. */
  | { readonly kind: "gone" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "cancelled" };

/** Tabs tell each other by this channel that their lists are out of date. */
export const AREAS_CHANNEL = "cairn-areas";

export type ImportResult = SaveResult | { readonly kind: "damaged"; readonly reason: string };

export interface AreaCalls {
  areas: { argument: undefined; value: AreaOverview };
  /** How large an area would be, from the index alone. Throws `FetchError` when the index cannot be had. */
  measureArea: { argument: AreaChoice; value: AreaSize };
  addArea: { argument: { readonly name: string; readonly choice: AreaChoice }; value: Area };
  saveArea: { argument: string; value: SaveResult; progress: SaveProgress };
  /** Forgets what is not finished: an update, or an area that was never saved whole. */
  cancelArea: { argument: string; value: undefined };
  /** An area that is gone meanwhile stays gone. */
  renameArea: { argument: { readonly id: string; readonly name: string }; value: undefined };
  removeArea: { argument: string; value: undefined };
  /** Writes the area to the file, or to a blob when there is none. */
  exportArea: {
    argument: { readonly id: string; readonly file?: FileSystemFileHandle | undefined };
    value: Blob | undefined;
    progress: SaveProgress;
  };
  importArea: { argument: Blob; value: ImportResult; progress: SaveProgress };
}

export interface PackCalls {
  /** Files of areas that the site has ready; none where it has no list. Throws when the list cannot be read. */
  packs: { argument: undefined; value: readonly AreaPack[] };
  /** Fetches one of them, checks size and SHA-256, and takes it in. */
  takePack: { argument: AreaPack; value: ImportResult; progress: SaveProgress };
}
