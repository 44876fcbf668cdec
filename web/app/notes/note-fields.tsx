import { useSignal } from "@preact/signals";
import { keepNote, type Note, noteOf, removeNote } from "../state/index.ts";
import { text } from "../text/index.ts";

/** What the reader calls the record, and their line on it. Each letter is kept at once. */
export function NoteFields({ note }: { note: Note }) {
  return (
    <div class="note-fields">
      <label class="field">
        <span>{text("notes.name")}</span>
        <input
          type="text"
          dir="auto"
          autoComplete="off"
          value={note.name}
          onInput={({ currentTarget }) => keepNote({ ...note, name: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{text("notes.line")}</span>
        <input
          type="text"
          dir="auto"
          autoComplete="off"
          value={note.text}
          onInput={({ currentTarget }) => keepNote({ ...note, text: currentTarget.value })}
        />
      </label>
    </div>
  );
}

/** Stars the record, or takes the star away, which can be undone. */
export function StarButton({ note }: { note: Note }) {
  const removed = useSignal<{ readonly note: Note; readonly index: number } | undefined>(undefined);
  const own = noteOf(note);
  const undone = removed.value?.note.id === note.id ? removed.value : undefined;
  return (
    <>
      <button
        type="button"
        class="star"
        aria-pressed={own !== undefined}
        onClick={() => {
          if (own) removed.value = { note: own, index: removeNote(own) };
          else keepNote(note);
        }}
      >
        <span class="icon is-star" />
        {text(own ? "notes.starred" : "notes.star")}
      </button>
      {!own && undone && (
        <button type="button" onClick={() => keepNote(undone.note, undone.index)}>
          {text("files.undo")}
        </button>
      )}
    </>
  );
}
