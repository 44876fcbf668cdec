import { useSignal } from "@preact/signals";
import { type Centre, coordinate } from "../address/index.ts";
import { changeSearch, draft } from "../state/index.ts";
import { type MessageKey, text } from "../text/index.ts";
import { CountrySelect, RadiusField, WhatChanged, WhatIsHere } from "../widgets/index.ts";
import { useLayoutSignalEffect } from "./layout-signal-effect.ts";

/** Fields for the location. Radius and country are applied at once, coordinates with Enter or the button. */
export function WhereFields({ onDone }: { onDone: () => void }) {
  const lat = useSignal("");
  const lon = useSignal("");
  const fault = useSignal<MessageKey | undefined>(undefined);
  useLayoutSignalEffect(() => {
    const { centre } = draft.value;
    lat.value = centre ? coordinate(centre.lat) : "";
    lon.value = centre ? coordinate(centre.lon) : "";
    fault.value = undefined;
  });

  const submit = () => {
    const centre = centreOf(lat.value, lon.value);
    if (centre === null) fault.value = "where.badPoint";
    else if (!centre && draft.value.country === undefined) fault.value = "where.nowhere";
    else {
      changeSearch({ centre });
      onDone();
    }
  };
  return (
    <form
      id="where"
      class="where"
      aria-label={text("where.name")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="field-row">
        <CoordinateField label={text("where.latitude")} value={lat} limit={90} />
        <CoordinateField label={text("where.longitude")} value={lon} limit={180} />
        <button type="submit" class="primary">
          {text("where.search")}
        </button>
      </div>
      {fault.value && (
        <p class="fault" role="alert">
          {text(fault.value)}
        </p>
      )}
      <RadiusField
        key={`${lat.value} ${lon.value}`}
        value={draft.value.radiusMeters}
        isDisabled={lat.value === "" && lon.value === ""}
        onChange={(radiusMeters) => changeSearch({ radiusMeters })}
      />
      {draft.value.centre && <WhatIsHere centre={draft.value.centre} />}
      {draft.value.centre && <WhatChanged search={draft.value} />}
      <CountrySelect search={draft.value} onChange={(country) => changeSearch({ country })} />
    </form>
  );
}

function CoordinateField(props: { label: string; value: { value: string }; limit: number }) {
  const { label, value, limit } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode="decimal"
        step="any"
        min={-limit}
        max={limit}
        placeholder={text("where.any")}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

/** Returns the typed position; undefined if both fields are empty, null if it is invalid. */
function centreOf(latText: string, lngText: string): Centre | undefined | null {
  if (latText === "" && lngText === "") return undefined;
  const [lat, lon] = [Number.parseFloat(latText), Number.parseFloat(lngText)];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : null;
}
