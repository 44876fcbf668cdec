import { formatRecordAddress } from "../../address/index.ts";
import { areNotesLost, dataset, notes } from "../../state/index.ts";
import { kindText, text } from "../../text/index.ts";
import { downloadFile, PanelFrame } from "../../widgets/index.ts";
import { NoteFields, useRemoval } from "../index.ts";
import { NOTE_FORMATS, type NoteFormat } from "./note-files.ts";

/** The panel of starred records. */
export function NotesPanel({ onClose }: { readonly onClose: () => void }) {
  const { removed, remove, undo } = useRemoval();
  return (
    <PanelFrame title={text("panel.notes")} kind="beside" onClose={onClose}>
      <p class="quiet">{text(notes.value.length === 0 ? "notes.none" : "notes.where")}</p>
      {areNotesLost.value && <p role="alert">{text("notes.lost")}</p>}
      <p class="note-removed" role="status">
        {removed && (
          <>
            <span dir="auto">{text("notes.removed", { name: removed.name })}</span>
            <button type="button" onClick={undo}>
              {text("files.undo")}
            </button>
          </>
        )}
      </p>
      <ul class="area-list" aria-label={text("panel.notes")}>
        {notes.value.map((note) => (
          <li class="area-item" key={`${note.type} ${note.id}`}>
            <h3 dir="auto">
              <a href={formatRecordAddress({ ...note, at: note })}>{note.name || note.id}</a>
            </h3>
            <p class="quiet">{kindText(note.type)}</p>
            <NoteFields note={note} />
            <div class="actions">
              <button type="button" aria-label={text("notes.remove", { name: note.name })} onClick={() => remove(note)}>
                {text("saved.remove")}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {notes.value.length > 0 && (
        <div class="actions is-start">
          {(Object.keys(NOTE_FORMATS) as NoteFormat[]).map((format) => (
            <button key={format} type="button" onClick={() => save(format)}>
              {text("notes.export", { format })}
            </button>
          ))}
        </div>
      )}
    </PanelFrame>
  );
}

function save(format: NoteFormat): void {
  const { extension, contentType, write } = NOTE_FORMATS[format];
  const { release = "", attribution = [] } = dataset.peek() ?? {};
  const content = write({
    notes: notes.peek(),
    title: text("panel.notes"),
    credit: { release, attribution: [...attribution] },
  });
  downloadFile(new Blob([content], { type: contentType }), `notes.${extension}`);
}
