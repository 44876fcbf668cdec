import { type ByteSource, readSlice } from "../../../engine/index.ts";
import type { AreaChoice, SaveProgress } from "../protocol/index.ts";
import type { Sink } from "../storage/index.ts";
import { writeAreaFile } from "./area-file.ts";
import { planFiles } from "./save-area.ts";
import { selectionOf } from "./selection-of.ts";

export interface PackOptions {
  readonly name: string;
  readonly choice: AreaChoice;
  /** Of a dataset. */
  readonly source: ByteSource;
  readonly sink: Sink;
  readonly onProgress: (progress: SaveProgress) => void;
}

export interface PackedArea {
  readonly release: string;
  readonly files: number;
}

/** Writes an area of a dataset as the file that a page exports and takes in. Nothing of the sink stays when it throws. */
export async function packArea({ name, choice, source, sink, onProgress }: PackOptions): Promise<PackedArea> {
  const selection = selectionOf(choice);
  const held = await planFiles(selection, source);
  await writeAreaFile({ name, selection }, held, { read: (entry) => readSlice(source, entry), sink, onProgress });
  return { release: held.manifest.release, files: held.files.length };
}
