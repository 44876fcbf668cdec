import { useSignal } from "@preact/signals";
import { keepNote, type Note, noteOf, removeNote } from "../state/index.ts";
import { type MessageKey, text } from "../text/index.ts";

/** The user's name for the record and their note on it. Every change is stored at once. */
export function NoteFields({ note }: { note: Note }) {
  return (
    <div class="note-fields">
      <NoteField label="notes.name" value={note.name} onChange={(name) => keepNote({ ...note, name })} />
      <NoteField label="notes.line" value={note.text} onChange={(line) => keepNote({ ...note, text: line })} />
    </div>
  );
}

interface FieldProps {
  readonly label: MessageKey;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NoteField({ label, value, onChange }: FieldProps) {
  return (
    <label class="field">
      <span>{text(label)}</span>
      <input
        type="text"
        dir="auto"
        autoComplete="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** Returns functions that remove a note, and restore the last removed one at its place in the list. */
export function useRemoval() {
  const last = useSignal<{ readonly note: Note; readonly index: number } | undefined>(undefined);
  return {
    removed: last.value?.note,
    remove(note: Note): void {
      last.value = { note, index: removeNote(note) };
    },
    undo(): void {
      if (last.value) keepNote(last.value.note, last.value.index);
      last.value = undefined;
    },
  };
}

/** Stars the record, or removes its star and offers to restore it. */
export function StarButton({ note }: { note: Note }) {
  const { removed, remove, undo } = useRemoval();
  const own = noteOf(note);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={text(own ? "notes.starred" : "notes.star")}
        title={text(own ? "notes.starred" : "notes.star")}
        aria-pressed={own !== undefined}
        onClick={() => (own ? remove(own) : keepNote(note))}
      >
        <span class="icon is-star" />
      </button>
      {!own && removed?.id === note.id && (
        <button type="button" onClick={undo}>
          {text("files.undo")}
        </button>
      )}
    </>
  );
}
