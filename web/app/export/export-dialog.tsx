import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ExportProgress } from "../../hosts/browser/protocol/index.ts";
import { FORMAT_NAMES, type FormatName } from "../../search/index.ts";
import { CopyAs } from "../copy/index.ts";
import { joinedRows } from "../files/index.ts";
import type { Found } from "../state/index.ts";
import { formatBytes, formatCount, text } from "../text/index.ts";
import { Choice } from "../widgets/index.ts";
import {
  createExport,
  type ExportChoice,
  type ExportExtent,
  type RunningExport,
  recordsOf,
  saveText,
} from "./run-export.ts";

const FIRST: readonly FormatName[] = ["spreadsheet", "geojson", "csv", "json"];
const SHOWN = [...FIRST, ...FORMAT_NAMES.filter((name) => !FIRST.includes(name))];

const EXTENTS = ["all", "listed", "selected"] as const;

/** Asks what to export, then shows progress. */
export function ExportDialog({ found, onClose }: { found: Found; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const running = useMemo(() => createExport(found), [found]);
  useEffect(() => {
    dialog.current?.showModal();
    return () => void running.close();
  }, [running]);
  const { kind } = running.state.value;
  return (
    <dialog
      class="export"
      ref={dialog}
      aria-labelledby="export-title"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id="export-title">{text("export.title")}</h2>
      {kind === "choosing" ? (
        <>
          <ExportForm found={found} onStart={running.start} onClose={() => dialog.current?.close()} />
          <CopyAs title={text("copy.search")} subject={{ kind: "search", found }} />
        </>
      ) : (
        <ExportStatus running={running} onClose={() => dialog.current?.close()} />
      )}
    </dialog>
  );
}

interface ExportFormProps {
  readonly found: Found;
  readonly onStart: (choice: ExportChoice) => Promise<void>;
  readonly onClose: () => void;
}

function ExportForm({ found, onStart, onClose }: ExportFormProps) {
  const selected = recordsOf(found, "selected").length;
  const extent = useSignal<ExportExtent>(selected > 0 ? "selected" : "all");
  const format = useSignal<FormatName>("spreadsheet");
  const hasHeaders = useSignal(false);
  const isTable = format.value === "spreadsheet" || format.value === "csv";
  const wantsRows = useSignal(true);
  const hasRows = joinedRows(found).total > 0;
  const extents = { all: found.total, listed: found.records.length, selected };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onStart({
          extent: extent.value,
          format: format.value,
          hasRows: hasRows && wantsRows.value,
          hasHeaders: isTable && hasHeaders.value,
        });
      }}
    >
      <fieldset class="choices">
        <legend>{text("export.what")}</legend>
        {EXTENTS.filter((known) => known !== "selected" || selected > 0).map((known) => (
          <Choice
            key={known}
            type="radio"
            class="choice"
            name="extent"
            label={text(`export.${known}`, { count: extents[known] })}
            isChosen={extent.value === known}
            onChange={() => {
              extent.value = known;
            }}
          />
        ))}
        {hasRows && (
          <Choice
            type="checkbox"
            class="choice"
            label={text("export.withFiles")}
            isChosen={wantsRows.value}
            onChange={(isWanted) => {
              wantsRows.value = isWanted;
            }}
          />
        )}
      </fieldset>
      <fieldset class="choices">
        <legend>{text("export.format")}</legend>
        {SHOWN.map((known) => (
          <Choice
            key={known}
            type="radio"
            class="choice"
            name="format"
            label={text(`export.format.${known}`)}
            hint={text(`export.format.${known}Hint`)}
            isChosen={format.value === known}
            onChange={() => {
              format.value = known;
            }}
          />
        ))}
      </fieldset>
      {isTable && (
        <Choice
          type="checkbox"
          class="choice"
          label={text("export.headers")}
          isChosen={hasHeaders.value}
          onChange={(isWanted) => {
            hasHeaders.value = isWanted;
          }}
        />
      )}
      <p class="quiet">{text("export.withAttribution")}</p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {text("panel.close")}
        </button>
        <button type="submit" class="primary">
          {text("export.save")}
        </button>
      </div>
    </form>
  );
}

function ExportStatus({ running, onClose }: { running: RunningExport; onClose: () => void }) {
  const state = running.state.value;
  const first = useRef<HTMLButtonElement>(null);
  // The pressed button is gone; the focus must stay in the dialog.
  useEffect(() => first.current?.focus(), [state.kind]);
  if (state.kind === "choosing") return null;
  if (state.kind === "running") {
    return (
      <>
        <Progress progress={state.progress} />
        <div class="actions">
          <button type="button" ref={first} onClick={() => running.cancel()}>
            {text("export.cancel")}
          </button>
        </div>
      </>
    );
  }
  return (
    <>
      {state.kind === "failed" ? (
        <div role="alert">
          <p>{state.progress.total > 0 ? text("export.failed", { ...state.progress }) : text("export.failedAtOnce")}</p>
          <p class="quiet">{state.message}</p>
        </div>
      ) : (
        <p role="status">
          {state.kind === "cancelled"
            ? text("export.cancelled")
            : text("export.done", {
                records: state.progress.records,
                size: formatBytes(state.progress.bytes),
              })}
        </p>
      )}
      <div class="actions">
        {state.kind === "done" && (
          <button type="button" onClick={() => saveText(state.attribution)}>
            {text("export.attribution.file")}
          </button>
        )}
        {state.kind === "failed" && (
          <button type="button" class="primary" onClick={() => void running.retry()}>
            {text("problem.retry")}
          </button>
        )}
        <button type="button" ref={first} onClick={onClose}>
          {text("panel.close")}
        </button>
      </div>
    </>
  );
}

function Progress({ progress: { records, total, bytes } }: { progress: ExportProgress }) {
  if (total === 0) return <p>{text("status.searching")}</p>;
  const words = text("export.progress", {
    records: formatCount(records),
    total: formatCount(total),
    size: formatBytes(bytes),
  });
  return (
    <>
      <progress value={records} max={total} aria-label={words} />
      <p class="tabular">{words}</p>
    </>
  );
}
