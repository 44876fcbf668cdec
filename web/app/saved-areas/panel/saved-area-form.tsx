import { useComputed, useSignal } from "@preact/signals";
import type { AreaShape } from "../../../engine/index.ts";
import type { AreaChoice, AreaSize } from "../../../hosts/browser/protocol/index.ts";
import type { Path } from "../../address/index.ts";
import { whereText } from "../../search/index.ts";
import { dataset, draft, isOnline, presentPaths } from "../../state/index.ts";
import { formatBytes, pathText, reasonOf, text } from "../../text/index.ts";
import { type Answer, Choice, CountrySelect, RadiusField, useAnswer } from "../../widgets/index.ts";
import { remote } from "../../worker/index.ts";
import { addArea, areNamesSaved, collectionsKept, extentName, extentOf } from "../index.ts";

/** Wait after an input before the size is measured, because another input usually follows sooner. */
const MEASURE_AFTER_MS = 250;

/** The form for a new area: the current search or a country, and what to save of it. Shows its size before it is saved. */
export function SavedAreaForm({ onDone }: { onDone: () => void }) {
  const kind = useSignal<"here" | "country">(draft.peek().centre || draft.peek().area ? "here" : "country");
  const radiusMeters = useSignal<number | undefined>(undefined);
  const country = useSignal<string | undefined>(draft.peek().country);
  const paths = useSignal<readonly Path[]>(presentPaths.peek());
  const namesChosen = useSignal<boolean | undefined>(undefined);
  const hasBaseMap = useSignal(true);
  const name = useSignal("");
  const isBusy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);

  const here = useComputed<AreaShape | undefined>(() => {
    const { country: _, ...search } = draft.value;
    const shape = extentOf({ ...search, country: undefined });
    return shape?.kind === "circle" ? { ...shape, radiusMeters: radiusMeters.value ?? shape.radiusMeters } : shape;
  });
  const choice = useComputed<AreaChoice | undefined>(() => {
    const inCountry: AreaShape | undefined = country.value ? { kind: "country", country: country.value } : undefined;
    const shape = kind.value === "here" ? here.value : inCountry;
    const present = new Set(dataset.value?.collections.map((collection) => collection.name));
    const collections = paths.value.flatMap(collectionsKept).filter((collection) => present.has(collection));
    if (!shape || collections.length === 0) return undefined;
    const hasNames = namesChosen.value ?? areNamesSaved(collections, dataset.value);
    return { shape, collections, hasNames, hasBaseMap: hasBaseMap.value && shape.kind !== "country" };
  });
  const measured = useAnswer((signal) => {
    const asked = choice.value;
    const settled = new Promise((resolve) => setTimeout(resolve, MEASURE_AFTER_MS));
    return asked && settled.then(() => remote("measureArea", asked, signal));
  });

  const shape = choice.value?.shape;
  return (
    <form
      class="area-form"
      aria-label={text("saved.new")}
      onSubmit={(event) => {
        event.preventDefault();
        if (!choice.value || isBusy.value) return;
        isBusy.value = true;
        addArea(name.value.trim() || nameOf(choice.value.shape), choice.value).then(onDone, (error: unknown) => {
          isBusy.value = false;
          fault.value = reasonOf(error);
        });
      }}
    >
      <fieldset class="segments">
        <legend>{text("saved.where")}</legend>
        {(["here", "country"] as const).map((known) => (
          <label key={known}>
            <input
              type="radio"
              name="area-kind"
              class="visually-hidden"
              checked={kind.value === known}
              disabled={known === "here" && !here.value}
              onChange={() => {
                kind.value = known;
              }}
            />
            {text(known === "country" ? "saved.kind.country" : hereKey(here.value))}
          </label>
        ))}
      </fieldset>
      {!here.value && <p class="quiet">{text("saved.noPlace")}</p>}
      {kind.value === "here" && here.value?.kind === "circle" && (
        <RadiusField
          value={here.value.radiusMeters}
          isDisabled={false}
          onChange={(metres) => {
            radiusMeters.value = metres;
          }}
        />
      )}
      {kind.value === "country" && (
        <CountrySelect
          search={{ ...draft.value, country: country.value }}
          onChange={(code) => {
            country.value = code;
            namesChosen.value = true;
          }}
        />
      )}
      <fieldset class="area-kinds">
        <legend>{text("saved.what")}</legend>
        {presentPaths.value.map((path) => (
          <Choice
            type="checkbox"
            class="area-check"
            key={path}
            label={pathText(path)}
            isChosen={paths.value.includes(path)}
            onChange={(isKept) => {
              paths.value = presentPaths
                .peek()
                .filter((known) => (known === path ? isKept : paths.value.includes(known)));
            }}
          />
        ))}
      </fieldset>
      <fieldset class="area-extras">
        <legend class="visually-hidden">{text("saved.besides")}</legend>
        <Choice
          type="checkbox"
          class="area-check"
          label={text("saved.names")}
          hint={text("saved.namesHint")}
          isChosen={choice.value?.hasNames ?? namesChosen.value ?? false}
          onChange={(isKept) => {
            namesChosen.value = isKept;
          }}
        />
        {kind.value === "here" && (
          <Choice
            type="checkbox"
            class="area-check"
            label={text("saved.baseMap")}
            hint={text("saved.baseMapHint")}
            isChosen={hasBaseMap.value}
            onChange={(isKept) => {
              hasBaseMap.value = isKept;
            }}
          />
        )}
      </fieldset>
      <label class="field">
        <span>{text("filter.name")}</span>
        <input
          type="text"
          maxLength={100}
          value={name.value}
          placeholder={shape ? nameOf(shape) : ""}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </label>
      <p class="area-size" aria-live="polite">
        {shape ? sizeText(measured) : text("saved.choose")}
      </p>
      {fault.value !== undefined && <p role="alert">{text("saved.failed", { reason: fault.value })}</p>}
      <div class="actions">
        <button type="button" onClick={onDone}>
          {text("saved.cancel")}
        </button>
        <button type="submit" class="primary" disabled={!choice.value || isBusy.value || isTooLarge(measured)}>
          {text(isOnline.value ? "export.save" : "saved.saveLater")}
        </button>
      </div>
    </form>
  );
}

/** Returns the name of the area in the words of the search if it is the search's area, otherwise with coordinates. */
function nameOf(shape: AreaShape): string {
  const { centre, area, radiusMeters } = draft.peek();
  const isOfSearch =
    shape.kind === "circle" ? centre && shape.radiusMeters === radiusMeters : shape.kind === "bbox" && area;
  return isOfSearch ? whereText(draft.peek()) : extentName(shape);
}

function hereKey(here: AreaShape | undefined) {
  return here?.kind === "bbox" ? "where.area" : "saved.kind.circle";
}

function sizeText(measured: Answer<AreaSize>): string {
  if (!measured) return text("saved.measuring");
  if ("error" in measured) return text("saved.notMeasured", { reason: reasonOf(measured.error) });
  const { files, bytes, missingFiles, missingBytes, freeBytes } = measured.value;
  const size = text("saved.size", {
    files,
    size: formatBytes(bytes),
    missingFiles,
    missingSize: formatBytes(missingBytes),
  });
  if (!isTooLarge(measured)) return size;
  return `${size} ${text("saved.tooLarge", { free: formatBytes(freeBytes ?? 0) })}`;
}

function isTooLarge(measured: Answer<AreaSize>): boolean {
  if (!measured || "error" in measured) return false;
  return measured.value.missingBytes > (measured.value.freeBytes ?? Number.POSITIVE_INFINITY);
}
