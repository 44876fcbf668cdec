/** The user's own files, and the matches of the current search in each. @module */
import { batch, computed, effect, signal } from "@preact/signals";
import { bboxOf } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import {
  type AddedFile,
  FILES_CHANNEL,
  type FileAnswer,
  type FileFault,
  type FileToAdd,
  type KeepResult,
  type KeptFile,
  type OwnFile,
} from "../../hosts/browser/protocol/index.ts";
import { searchArgument } from "../address/index.ts";
import {
  dataset,
  isSearching,
  openPanel,
  overlayFeatures,
  overlayShapes,
  pageState,
  problem,
  showBox,
} from "../state/index.ts";
import { reasonOf } from "../text/index.ts";
import { remote } from "../worker/index.ts";

export interface FileRowRef {
  /** Id of the file. */
  readonly file: string;
  /** Index of the row in the file, from 0. */
  readonly row: number;
}

export interface RefusedFile {
  readonly name: string;
  readonly fault: FileFault;
  /** The file, to read it again with columns that the user chooses; undefined for a stored file and after an unexpected error. */
  readonly file?: File | undefined;
}

/** State of storing a file in the browser: it runs, the user declined, or why it failed. */
export type Keeping =
  | { readonly kind: "keeping" | "declined" }
  | { readonly kind: "stopped"; readonly result: Exclude<KeepResult, { kind: "kept" }> }
  | { readonly kind: "failed"; readonly message: string };

export const ownFiles = signal<readonly OwnFile[]>([]);
/** Matches of the current search, by file id. */
export const fileAnswers = signal<Readonly<Record<string, FileAnswer>>>({});
export const refusedFiles = signal<readonly RefusedFile[]>([]);
export const keeping = signal<Readonly<Record<string, Keeping>>>({});
/** Why the list of stored files could not be read. */
export const keptFault = signal<string | undefined>(undefined);
/** The file that was removed last, while it can be restored. */
export const removedFile = signal<OwnFile | undefined>(undefined);
/** Name of the file that is being read. */
export const readingFile = signal<string | undefined>(undefined);
/** The row whose properties are shown. */
export const openRow = signal<
  (FileRowRef & { readonly feature: Feature; readonly title: string | undefined }) | undefined
>(undefined);

/**
 * Opens the panel of files, reads the files one after the other, and shows each on the map. Does not throw: files that cannot be
 * read are in `refusedFiles`.
 */
export async function addFiles(files: readonly File[]): Promise<void> {
  batch(() => {
    refusedFiles.value = [];
    openRow.value = undefined;
  });
  openPanel("files");
  for (const file of files) {
    await addFile({ file });
  }
}

/** Reads a refused file again, with the columns that the user chose for the coordinates. */
export async function addWithColumns(refused: RefusedFile, columns: FileToAdd["columns"]): Promise<void> {
  const { file } = refused;
  if (!file) return;
  refusedFiles.value = refusedFiles.peek().filter((other) => other !== refused);
  await addFile({ file, columns });
}

async function addFile(added: FileToAdd): Promise<void> {
  const { file } = added;
  const taken = await reading(file.name, () => remote("addFile", added), file);
  if (taken) showBox(taken.bbox);
}

/** Adds the file that `read` returns, and returns it; undefined if it was refused or failed, which is then in `refusedFiles`. */
async function reading(
  name: string,
  read: () => Promise<AddedFile | undefined>,
  file?: File,
): Promise<OwnFile | undefined> {
  readingFile.value = name;
  try {
    const answer = await read();
    if (answer?.kind === "refused") refuse({ name, fault: answer.fault, file });
    else if (answer) take(answer.file, answer.body);
    return answer?.kind === "added" ? answer.file : undefined;
  } catch (error) {
    refuse({ name, fault: { code: "damaged", reason: reasonOf(error) } });
    return undefined;
  } finally {
    readingFile.value = undefined;
  }
}

/**
 * Closes the file and deletes its stored copy. `restoreFile` can open it again until another file is removed. If the deletion
 * fails, the file stays open and shows the error.
 */
export async function removeFile(file: OwnFile): Promise<void> {
  if (!(await isDone(file.id, remote("removeFile", file.id)))) return;
  batch(() => {
    removedFile.value = file;
    setKeeping(file.id, undefined);
    ownFiles.value = ownFiles.peek().filter(({ id }) => id !== file.id);
    overlayShapes.files.value = overlayShapes.files.peek().filter(({ properties }) => properties?.file !== file.id);
    if (openRow.peek()?.file === file.id) openRow.value = undefined;
  });
}

/** Opens the removed file again. */
export async function restoreFile({ id, name }: OwnFile): Promise<void> {
  removedFile.value = undefined;
  await reading(name, () => remote("restoreFile", id));
}

/** Stores the file in the browser, so that it is open after a reload. Does not throw: a failure is in `keeping`. */
export async function keepFile({ id }: OwnFile): Promise<void> {
  setKeeping(id, { kind: "keeping" });
  const keepIt = async () => {
    const result = await remote("keepFile", id);
    setKeeping(id, result.kind === "kept" ? undefined : { kind: "stopped", result });
    // some browsers ask the user
    if (result.kind === "kept") void navigator.storage?.persist?.().catch(() => false);
  };
  await isDone(id, keepIt());
  await lookAtKept();
}

/** Deletes the stored copy of the file. The file stays open until the page is closed. */
export async function forgetFile({ id }: OwnFile): Promise<void> {
  if (await isDone(id, remote("forgetFile", id))) setKeeping(id, { kind: "declined" });
  await lookAtKept();
}

/** Notes that the user does not want to store the file. */
export function declineToKeep({ id }: OwnFile): void {
  setKeeping(id, { kind: "declined" });
}

/** Opens the stored files after the first answer or error, and follows changes by other tabs. */
export function startOwnFiles(): void {
  new BroadcastChannel(FILES_CHANNEL).addEventListener("message", () => void lookAtKept());
  const isStarted = computed(() => !isSearching.value && (dataset.value !== undefined || problem.value !== undefined));
  const stop = effect(() => {
    if (!isStarted.value) return;
    queueMicrotask(() => stop());
    void openKept();
  });
}

async function openKept(): Promise<void> {
  for (const { key, name, id } of await lookAtKept()) {
    if (id === undefined) await reading(name, () => remote("openKept", key));
  }
}

/**
 * Returns the list of stored files, and updates which open files are stored. On an error returns an empty list; the error is in
 * `keptFault`.
 */
async function lookAtKept(): Promise<readonly KeptFile[]> {
  try {
    const kept = await remote("keptFiles", undefined);
    const ids = new Set(kept.map(({ id }) => id));
    ownFiles.value = ownFiles.peek().map((file) => {
      const isKept = ids.has(file.id);
      return file.isKept === isKept ? file : { ...file, isKept };
    });
    keptFault.value = undefined;
    return kept;
  } catch (error) {
    keptFault.value = reasonOf(error);
    return [];
  }
}

/** Whether the work on the file succeeded. An error is in `keeping`. */
async function isDone(id: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    setKeeping(id, { kind: "failed", message: reasonOf(error) });
    return false;
  }
}

function setKeeping(id: string, state: Keeping | undefined): void {
  const { [id]: _, ...others } = keeping.peek();
  keeping.value = state ? { ...others, [id]: state } : others;
}

/** Opens the panel of files with the properties of the row. */
export function openFileRow(ref: FileRowRef): void {
  void rowOf(ref);
}

/** Opens the panel of files with the properties of the row, and moves the map to the row. */
export async function goToFileRow(ref: FileRowRef): Promise<void> {
  const { geometry } = await rowOf(ref);
  const bbox = bboxOf(geometry);
  if (bbox) showBox(bbox);
}

async function rowOf(ref: FileRowRef): Promise<Feature> {
  openPanel("files");
  const { feature, title } = await remote("fileRow", { id: ref.file, row: ref.row });
  openRow.value = { ...ref, feature, title };
  return feature;
}

function refuse(file: RefusedFile): void {
  refusedFiles.value = [...refusedFiles.peek(), file];
}

function take(file: OwnFile, geometries: readonly Feature["geometry"][]): void {
  const before = overlayShapes.files.peek();
  const first = Number(before.at(-1)?.id ?? -1) + 1;
  const shapes = overlayFeatures(geometries, { first, file: file.id });
  batch(() => {
    ownFiles.value = [...ownFiles.peek(), file];
    overlayShapes.files.value = [...before, ...shapes];
  });
}

effect(() => {
  const files = ownFiles.value;
  const { search } = pageState.value;
  const asking = new AbortController();
  const asked = search ? { search: searchArgument(search) } : {};
  void Promise.all(
    files.map(async ({ id }) => [id, await remote("searchFile", { id, ...asked }, asking.signal)] as const),
  ).then(
    (answers) => {
      fileAnswers.value = Object.fromEntries(answers);
    },
    () => {},
  );
  return () => asking.abort();
});
