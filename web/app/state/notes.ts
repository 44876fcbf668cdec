/** Starred records with a name and a note by the user, stored only in this browser. @module */
import { computed, signal } from "@preact/signals";
import { type Json, listOf, objectOf } from "../../../data/format/json.ts";
import { isRecordType, type RecordAddress } from "../address/index.ts";

export interface Note extends RecordAddress {
  /** Name that the user gave the record; at first its title. */
  readonly name: string;
  readonly text: string;
  /** Representative point of the record, degrees. */
  readonly lon: number;
  readonly lat: number;
}

const KEY = "cairn-notes";

const kept = signal<readonly Note[]>(read() ?? []);
const isRefused = signal(false);

/** The starred records, in the order of their list. */
export const notes = computed(() => kept.value);

/** Whether the browser refuses to store notes, so that they are lost when the page is closed. */
export const areNotesLost = computed(() => isRefused.value);

addEventListener("storage", ({ key }) => {
  // null: all was cleared
  if (key === KEY || key === null) kept.value = read() ?? [];
});

/** Returns the note of a record; undefined if the record is not starred. */
export function noteOf({ type, id }: RecordAddress): Note | undefined {
  return notes.value.find((note) => note.type === type && note.id === id);
}

/** Stores the note in the place of the record's earlier one. A new note is put at the index, by default first. */
export function keepNote(note: Note, index = 0): void {
  update((all) => {
    const at = all.findIndex((other) => isSame(other, note));
    return at < 0 ? all.toSpliced(index, 0, note) : all.with(at, note);
  });
}

/** Removes the note of a record, and returns its index, so that it can be restored; -1 if there was none. */
export function removeNote(note: Note): number {
  const index = notes.peek().findIndex((other) => isSame(other, note));
  update((all) => all.filter((other) => !isSame(other, note)));
  return index;
}

function isSame(a: RecordAddress, b: RecordAddress): boolean {
  return a.type === b.type && a.id === b.id;
}

/** Applies a change to the stored notes, because another tab may have changed them. */
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

/** Returns the stored notes; undefined if storage is blocked or is no JSON. Items of other code are left out. */
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
