import { useSignal } from "@preact/signals";
import type { Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Area } from "../../../hosts/browser/protocol/index.ts";
import { dataset, isOnline, networkState } from "../../state/index.ts";
import { formatBytes, formatDistance, locale, pathText, releaseText, text } from "../../text/index.ts";
import { canChooseFile, chooseFile, downloadFile, ZoomButton } from "../../widgets/index.ts";
import {
  type Activity,
  activities,
  areaFileName,
  boxOf,
  exportArea,
  extentName,
  keepArea,
  overview,
  pathsKept,
  removals,
  removeArea,
  renameArea,
  saveArea,
} from "../index.ts";

/** One saved area in the list, or the note that it will be removed. */
export function SavedAreaItem({ area }: { area: Area }) {
  const isKept = useRef(false);
  const remove = useRef<HTMLButtonElement>(null);
  const isRemoved = removals.value.includes(area.id);
  useEffect(() => {
    if (isKept.current) remove.current?.focus();
    isKept.current = false;
  }, [isRemoved]);
  if (!isRemoved) return <KeptArea area={area} remove={remove} />;
  return (
    <Removed
      name={area.name}
      onUndo={() => {
        isKept.current = true;
        keepArea(area.id);
      }}
    />
  );
}

/** The note that the area will be removed. Its button to undo gets the focus. */
function Removed({ name, onUndo }: { readonly name: string; readonly onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <li class="area-item">
      <p role="status">{text(isOnline.value ? "saved.removed" : "saved.removedOffline", { name })}</p>
      <div class="actions is-start">
        <button type="button" ref={undo} onClick={onUndo}>
          {text("files.undo")}
        </button>
      </div>
    </li>
  );
}

function KeptArea({ area, remove }: { readonly area: Area; readonly remove: Ref<HTMLButtonElement> }) {
  const { name, selection, saved } = area;
  const activity = activities.value[area.id];
  const isBusy = activity?.kind === "saving" || activity?.kind === "exporting";
  const isAsked = useSignal(false);
  const isNaming = useSignal(false);
  const bbox = overview.value?.boxes[area.id] ?? boxOf(selection.shape);
  const stop = () => {
    const now = activities.peek()[area.id];
    if (now?.kind === "saving" || now?.kind === "exporting") now.stop();
  };
  const isOld = saved && dataset.value && saved.sha256 !== dataset.value.sha256;
  const kinds = pathsKept(selection.collections).map((path) => pathText(path));
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
      {!isNamedByPlace(selection.shape, name) && <p class="quiet">{extentName(selection.shape)}</p>}
      <p class="quiet">{[...kinds, ...(selection.hasNames ? [text("saved.names")] : [])].join(" · ")}</p>
      {saved && (
        <p>
          {[
            text("saved.held", {
              size: formatBytes(saved.bytes),
              files: saved.files,
              age: ageText(saved.savedAtMs),
            }),
            releaseText(saved.release),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
      {isOld && isOnline.value && !isBusy && <p class="area-old">{text("saved.old")}</p>}
      {activity && <ActivityLine activity={activity} />}
      {!activity && area.isUnfinished && <p>{text("saved.waiting")}</p>}
      <div class="actions">
        {isAsked.value ? (
          <Sure
            question={text("saved.stopSure", { name })}
            yes={text("saved.stopYes")}
            onYes={() => {
              stop();
              isAsked.value = false;
            }}
            onNo={() => {
              isAsked.value = false;
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
                // the result of an export can be written again
                if (activity.kind === "exporting") stop();
                else isAsked.value = true;
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
            <button type="button" ref={remove} onClick={() => removeArea(area.id)}>
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

/** Whether the name says where the area is: a circle around a place, a country or a box. */
function isNamedByPlace(shape: Area["selection"]["shape"], name: string): boolean {
  const radius = shape.kind === "circle" ? formatDistance(shape.radiusMeters) : undefined;
  return name === extentName(shape) || (radius !== undefined && name.startsWith(radius));
}

/** A field for another name of the area. Escape and an empty name change nothing. */
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
        aria-label={text("filter.name")}
        defaultValue={area.name}
        maxLength={MOST_LETTERS}
      />
      <button type="submit" class="primary">
        {text("saved.renameDone")}
      </button>
    </form>
  );
}

/** Maximum length of a name. */
const MOST_LETTERS = 80;

interface SureProps {
  readonly question: string;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before something that cannot be undone. The focus is on the harmless answer. */
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

function ActivityLine({ activity }: { activity: Activity }) {
  if (activity.kind === "failed") return <p role="alert">{text("saved.failed", { reason: activity.message })}</p>;
  if (activity.kind === "paused") return <p>{text("saved.paused")}</p>;
  if (activity.kind === "stopped") {
    const { result } = activity;
    if (result.kind === "offline") return <p>{text("saved.waiting")}</p>;
    if (result.kind === "elsewhere") return <p>{text("saved.elsewhere")}</p>;
    return <p role="alert">{noRoomText(result)}</p>;
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

/** Returns the time since then in words, such as "3 days ago". A time in the future, after the clock was set back, is "now". */
function ageText(atMs: number, nowMs = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const seconds = Math.max(0, (nowMs - atMs) / 1000);
  for (const [unit, span] of SPANS) if (seconds >= span) return format.format(-Math.floor(seconds / span), unit);
  return format.format(0, "second");
}

/** Returns that there is not enough space, and how much is needed. A private window may have less than the browser reports. */
export function noRoomText({
  neededBytes,
  freeBytes,
}: {
  readonly neededBytes: number;
  readonly freeBytes: number;
}): string {
  const sizes = { needed: formatBytes(neededBytes), free: formatBytes(freeBytes) };
  return text(neededBytes < freeBytes ? "saved.refused" : "saved.full", sizes);
}
