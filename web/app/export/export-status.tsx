import { useEffect, useRef } from "preact/hooks";
import type { ExportProgress } from "../../hosts/browser/protocol/export-calls.ts";
import { formatCount, formatMegabytes, text } from "../text/index.ts";
import { type RunningExport, saveText } from "./run-export.ts";

/** How far the export is, and how it ended. */
export function ExportStatus({ running, onClose }: { running: RunningExport; onClose: () => void }) {
  const state = running.state.value;
  const first = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone; the keyboard must not fall out of the dialog.
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
                megabytes: formatMegabytes(state.progress.bytes),
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
            {text("export.retry")}
          </button>
        )}
        <button type="button" ref={first} onClick={onClose}>
          {text("export.close")}
        </button>
      </div>
    </>
  );
}

function Progress({ progress: { records, total, bytes } }: { progress: ExportProgress }) {
  if (total === 0) return <p>{text("export.starting")}</p>;
  const words = text("export.progress", {
    records: formatCount(records),
    total: formatCount(total),
    megabytes: formatMegabytes(bytes),
  });
  return (
    <>
      <progress value={records} max={total} aria-label={words} />
      <p class="tabular">{words}</p>
    </>
  );
}
