/** Starred records with the user's own name and note, stored only in this browser. @module */
import { computed, signal } from "@preact/signals";
import { type Json, listOf, objectOf } from "../../../data/format/json.ts";
import { isRecordType, type RecordAddress } from "../address/index.ts";

export interface Note extends RecordAddress {
  /** The user's name for the record; its title until changed. */
  readonly name: string;
  readonly text: string;
  /** The representative point of the record, degrees. */
  readonly lon: number;
  readonly lat: number;
}

const KEY = "cairn-notes";

const kept = signal<readonly Note[]>(read() ?? []);
const isRefused = signal(false);

export const notes = computed(() => kept.value);

/** Whether the browser refuses to store them, so that they are lost when the page is closed. */
export const areNotesLost = computed(() => isRefused.value);

addEventListener("storage", ({ key }) => {
  // null: all was cleared
  if (key === KEY || key === null) kept.value = read() ?? [];
});

/** Returns the note of a record; undefined if it is not starred. */
export function noteOf({ type, id }: RecordAddress): Note | undefined {
  return notes.value.find((note) => note.type === type && note.id === id);
}

/** Stores the note: instead of the record's earlier note, or a new one at the index, by default first. */
export function keepNote(note: Note, index = 0): void {
  update((all) => {
    const at = all.findIndex((other) => isSame(other, note));
    return at < 0 ? all.toSpliced(index, 0, note) : all.with(at, note);
  });
}

/** Removes the note; returns its index, so that it can be restored, or -1 if there was none. */
export function removeNote(note: Note): number {
  const index = notes.peek().findIndex((other) => isSame(other, note));
  update((all) => all.filter((other) => !isSame(other, note)));
  return index;
}

function isSame(a: RecordAddress, b: RecordAddress): boolean {
  return a.type === b.type && a.id === b.id;
}

/** Another tab may have written since. */
function update(change: (notes: readonly Note[]) => readonly Note[]): void {
  const next = change((isRefused.peek() ? undefined : read()) ?? kept.peek());
  kept.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
    isRefused.value = false;
  } catch {
    isRefused.value = true;
  }
}

/** Undefined if storage is blocked, or contains foreign data. */
function read(): readonly Note[] | undefined {
  try {
    const stored: Json = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return listOf(stored).flatMap((value) => noteIn(objectOf(value)) ?? []);
  } catch {
    return undefined;
  }
}

function noteIn(value: ReturnType<typeof objectOf>): Note | undefined {
  const { type, id, name, text, lon, lat } = value ?? {};
  if (typeof type !== "string" || !isRecordType(type) || typeof id !== "string") return undefined;
  if (typeof name !== "string" || typeof text !== "string") return undefined;
  if (typeof lon !== "number" || typeof lat !== "number") return undefined;
  return { type, id, name, text, lon, lat };
}
