/** The reader's own files, and what the present search finds in each. @module */
import { batch, effect, signal } from "@preact/signals";
import { bboxOf } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import type { FileAnswer, FileFault, FileQuestion, OwnFile } from "../../hosts/browser/protocol/index.ts";
import { areaOf } from "../../map/drawn-area.ts";
import type { Search } from "../address/index.ts";
import { guestFeatures, guestShapes, openPanel, pageState, showBox } from "../state/index.ts";
import { remote } from "../worker/index.ts";

export interface FileRowRef {
  /** The file's id. */
  readonly file: string;
  /** From 0. */
  readonly row: number;
}

/** A file that was not taken, and why. */
export interface RefusedFile {
  readonly name: string;
  readonly fault: FileFault;
}

export const ownFiles = signal<readonly OwnFile[]>([]);
/** What the present search finds, by the file's id. */
export const fileAnswers = signal<Readonly<Record<string, FileAnswer>>>({});
export const refusedFiles = signal<readonly RefusedFile[]>([]);
/** The name of the file that is being read. */
export const readingFile = signal<string | undefined>(undefined);
/** The row whose properties are shown. */
export const openRow = signal<(FileRowRef & { readonly feature: Feature }) | undefined>(undefined);

/** Reads the files one after the other, and shows what came of them. */
export async function addFiles(files: readonly File[]): Promise<void> {
  batch(() => {
    refusedFiles.value = [];
    openRow.value = undefined;
  });
  openPanel("files");
  for (const file of files) {
    readingFile.value = file.name;
    try {
      const answer = await remote("addFile", file);
      if (answer.kind === "refused") refuse(file.name, answer.fault);
      else take(answer.file, answer.body);
    } catch (error) {
      refuse(file.name, { code: "damaged", reason: error instanceof Error ? error.message : String(error) });
    }
  }
  readingFile.value = undefined;
}

export function removeFile({ id }: OwnFile): void {
  batch(() => {
    ownFiles.value = ownFiles.peek().filter((file) => file.id !== id);
    guestShapes.files.value = guestShapes.files.peek().filter(({ properties }) => properties?.file !== id);
    if (openRow.peek()?.file === id) openRow.value = undefined;
  });
  void remote("removeFile", id);
}

/** Shows the properties of a row. */
export function openFileRow(ref: FileRowRef): void {
  void rowOf(ref);
}

/** Shows the properties of a row, and moves the map to it. */
export async function goToFileRow(ref: FileRowRef): Promise<void> {
  const { geometry } = await rowOf(ref);
  const bbox = bboxOf(geometry);
  if (bbox) showBox(bbox);
}

async function rowOf(ref: FileRowRef): Promise<Feature> {
  openPanel("files");
  const feature = await remote("fileRow", { id: ref.file, row: ref.row });
  openRow.value = { ...ref, feature };
  return feature;
}

function refuse(name: string, fault: FileFault): void {
  refusedFiles.value = [...refusedFiles.peek(), { name, fault }];
}

function take(file: OwnFile, geometries: readonly Feature["geometry"][]): void {
  const before = guestShapes.files.peek();
  const first = Number(before.at(-1)?.id ?? -1) + 1;
  const shapes = guestFeatures(geometries, { first, file: file.id });
  batch(() => {
    ownFiles.value = [...ownFiles.peek(), file];
    guestShapes.files.value = [...before, ...shapes];
    showBox(file.bbox);
  });
}

/** What of a search files can be asked: they have no countries, and none of the dataset's filters but the name. */
function questionOf(id: string, search: Search | undefined): FileQuestion {
  const { centre, radiusMeters, area, filters } = search ?? {};
  return {
    id,
    ...(area ? { area: areaOf(area) } : {}),
    ...(centre && radiusMeters !== undefined ? { circle: { ...centre, radiusMeters } } : {}),
    ...(filters?.name === undefined ? {} : { name: filters.name }),
  };
}

let asking = new AbortController();
effect(() => {
  const files = ownFiles.value;
  const { search } = pageState.value;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (files.length === 0) return;
  void Promise.all(
    files.map(async ({ id }) => [id, await remote("searchFile", questionOf(id, search), signal)] as const),
  ).then(
    (answers) => {
      fileAnswers.value = Object.fromEntries(answers);
    },
    () => {},
  );
});
