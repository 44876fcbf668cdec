import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Area } from "../../../hosts/browser/protocol/index.ts";
import { dataset, isOnline, networkState } from "../../state/index.ts";
import { formatBytes, locale, type MessageKey, text } from "../../text/index.ts";
import { canChooseFile, chooseFile, downloadFile, ZoomButton } from "../../widgets/index.ts";
import {
  type Activity,
  activities,
  areaFileName,
  boxOf,
  exportArea,
  extentName,
  overview,
  pathsKept,
  removeArea,
  renameArea,
  saveArea,
} from "../index.ts";

/** A saved area: what it holds, how old it is, and what can be done with it. */
export function SavedAreaItem({ area }: { area: Area }) {
  const { name, selection, saved } = area;
  const activity = activities.value[area.id];
  const isBusy = activity?.kind === "saving" || activity?.kind === "exporting";
  const asked = useSignal<"remove" | "stop" | undefined>(undefined);
  const isNaming = useSignal(false);
  const bbox = overview.value?.boxes[area.id] ?? boxOf(selection.shape);
  const stop = () => {
    const now = activities.peek()[area.id];
    if (now?.kind === "saving" || now?.kind === "exporting") now.stop();
  };
  const isOld = saved && dataset.value && saved.release !== dataset.value.release;
  const kinds = pathsKept(selection.collections).map((path) => text(`path.${path}`));
  return (
    <li class="area-item">
      {isNaming.value ? (
        <Rename
          area={area}
          onDone={() => {
            isNaming.value = false;
          }}
        />
      ) : (
        <h3>{name}</h3>
      )}
      {extentName(selection.shape) !== name && <p class="quiet">{extentName(selection.shape)}</p>}
      <p class="quiet">{[...kinds, ...(selection.hasNames ? [text("saved.names")] : [])].join(" · ")}</p>
      {saved && (
        <p>
          {text("saved.held", {
            size: formatBytes(saved.bytes),
            files: saved.files,
            age: ageText(saved.savedAtMs),
            release: saved.release,
          })}
        </p>
      )}
      {isOld && isOnline.value && !isBusy && <p class="area-old">{text("saved.old")}</p>}
      {activity && <ActivityLine activity={activity} />}
      {!activity && area.isUnfinished && <p>{text("saved.waiting")}</p>}
      <div class="actions">
        {asked.value ? (
          <Sure
            question={text(asked.value === "stop" ? "saved.stopSure" : removeKey(), { name })}
            yes={text(asked.value === "stop" ? "saved.stopYes" : "saved.removeYes")}
            onYes={() => {
              if (asked.peek() === "stop") stop();
              else void removeArea(area.id);
              asked.value = undefined;
            }}
            onNo={() => {
              asked.value = undefined;
            }}
          />
        ) : isBusy ? (
          <>
            {activity.kind === "saving" && (
              <button type="button" onClick={activity.pause}>
                {text("saved.pause")}
              </button>
            )}
            <button
              type="button"
              onClick={() => {
                // what an export wrote can be written again
                if (activity.kind === "exporting") stop();
                else asked.value = "stop";
              }}
            >
              {text("export.cancel")}
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              onClick={() => {
                isNaming.value = true;
              }}
            >
              {text("saved.rename")}
            </button>
            <button
              type="button"
              onClick={() => {
                asked.value = "remove";
              }}
            >
              {text("saved.remove")}
            </button>
            {bbox && <ZoomButton bbox={bbox} />}
            {saved && (
              <button type="button" onClick={() => void saveAsFile(area)}>
                {text("saved.export")}
              </button>
            )}
            {(isOld || area.isUnfinished) && (
              <button
                type="button"
                class="primary"
                disabled={networkState.value === "off"}
                onClick={() => void saveArea(area.id)}
              >
                {text(area.isUnfinished ? "saved.goOn" : "saved.update")}
              </button>
            )}
          </>
        )}
      </div>
    </li>
  );
}

/** A name of the reader's own. Escape and an empty name leave it as it was. */
function Rename({ area, onDone }: { area: Area; onDone: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <form
      class="field-row"
      onSubmit={(event) => {
        event.preventDefault();
        const name = input.current?.value.trim() ?? "";
        if (name !== "" && name !== area.name) void renameArea(area.id, name);
        onDone();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        ref={input}
        type="text"
        aria-label={text("saved.name")}
        defaultValue={area.name}
        maxLength={MOST_LETTERS}
      />
      <button type="submit" class="primary">
        {text("saved.renameDone")}
      </button>
    </form>
  );
}

/** As long as a heading may be. */
const MOST_LETTERS = 80;

interface SureProps {
  readonly question: string;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before what cannot be undone. The focus is on what changes nothing. */
function Sure({ question, yes, onYes, onNo }: SureProps) {
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <>
      <p class="area-sure" role="alert">
        {question}
      </p>
      <button type="button" ref={no} onClick={onNo}>
        {text("saved.keep")}
      </button>
      <button type="button" class="primary" onClick={onYes}>
        {yes}
      </button>
    </>
  );
}

/** Without a network what is removed cannot be had again. */
function removeKey(): MessageKey {
  return isOnline.value ? "saved.removeSure" : "saved.removeSureOffline";
}

function ActivityLine({ activity }: { activity: Activity }) {
  if (activity.kind === "failed") return <p role="alert">{text("saved.failed", { reason: activity.message })}</p>;
  if (activity.kind === "paused") return <p>{text("saved.paused")}</p>;
  if (activity.kind === "stopped") {
    const { result } = activity;
    if (result.kind === "offline") return <p>{text("saved.waiting")}</p>;
    if (result.kind === "elsewhere") return <p>{text("saved.elsewhere")}</p>;
    const [needed, free] = [formatBytes(result.neededBytes), formatBytes(result.freeBytes)];
    return <p role="alert">{text("saved.full", { needed, free })}</p>;
  }
  const { progress } = activity;
  if (!progress) return <p>{text("saved.starting")}</p>;
  const label = text(activity.kind === "saving" ? "saved.progress" : "saved.exporting", {
    files: progress.files,
    totalFiles: progress.totalFiles,
    size: formatBytes(progress.bytes),
    totalSize: formatBytes(progress.totalBytes),
  });
  return (
    <div class="area-progress">
      <progress value={progress.bytes} max={progress.totalBytes} aria-label={label} />
      <p>{label}</p>
    </div>
  );
}

async function saveAsFile(area: Area): Promise<void> {
  const fileName = areaFileName(area.name);
  const file = canChooseFile() ? await chooseFile(fileName) : undefined;
  if (canChooseFile() && !file) return;
  const blob = await exportArea(area, file);
  if (blob) downloadFile(blob, fileName);
}

const SPANS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Such as "3 days ago"; a clock that was set back makes it "now". */
function ageText(atMs: number, nowMs = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const seconds = Math.max(0, (nowMs - atMs) / 1000);
  for (const [unit, span] of SPANS) if (seconds >= span) return format.format(-Math.floor(seconds / span), unit);
  return format.format(0, "second");
}
