import { useSignal, useSignalEffect } from "@preact/signals";
import { type Centre, coordinate, DEFAULT_RADIUS_METERS, PAGE_SIZES, type Path, type Search } from "../state/search.ts";
import { pageState, problem, search } from "../state/session.ts";
import { countryName } from "../text/languages.ts";
import { formatDistance } from "../text/numbers.ts";
import { CountrySelect } from "./country-select.tsx";
import { RadiusField } from "./radius-field.tsx";
import { TypeChips } from "./type-chips.tsx";

interface Draft {
  readonly path: Path;
  readonly lat: string;
  readonly lng: string;
  readonly radiusMeters: number;
  readonly country: string;
}

const EMPTY: Draft = { path: "places", lat: "", lng: "", radiusMeters: DEFAULT_RADIUS_METERS, country: "" };

/** What to search for, and where. Chips, radius and country act at once; typed coordinates with Enter or the button. */
export function SearchForm() {
  const draft = useSignal<Draft>(EMPTY);
  const fault = useSignal<string | undefined>(undefined);
  /** On narrow screens the fields are folded away. */
  const isOpen = useSignal(false);
  useSignalEffect(() => {
    const { search } = pageState.value;
    if (search) draft.value = draftOf(search);
    isOpen.value = false;
    fault.value = undefined;
  });

  const submit = () => {
    const { path, lat, lng, radiusMeters, country } = draft.value;
    const centre = centreOf(lat, lng);
    if (centre === null) fault.value = "Latitude goes from -90 to 90, longitude from -180 to 180.";
    else if (!centre && !country) fault.value = "Click the map, type a point, or choose a country.";
    else {
      problem.value = undefined;
      const limit = pageState.value.search?.limit ?? PAGE_SIZES[0];
      search({ path, centre, radiusMeters, country: country || undefined, page: 0, limit });
    }
  };
  /** Changes that show their effect at once, once there is something to search. */
  const apply = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change };
    if (pageState.value.search) submit();
  };
  const type = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change };
  };

  const { path, lat, lng, radiusMeters, country } = draft.value;
  return (
    <form
      class="search-form"
      aria-label="Search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TypeChips value={path} onChange={(value) => apply({ path: value })} />
      <button
        type="button"
        class="where-summary"
        aria-expanded={isOpen.value}
        aria-controls="where"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {whereText(draft.value)}
      </button>
      <div id="where" class={isOpen.value ? "where is-open" : "where"}>
        <div class="field-row">
          <CoordinateField label="Latitude" value={lat} limit={90} onInput={(value) => type({ lat: value })} />
          <CoordinateField label="Longitude" value={lng} limit={180} onInput={(value) => type({ lng: value })} />
          <button type="submit" class="primary">
            Search
          </button>
        </div>
        <RadiusField
          value={radiusMeters}
          isDisabled={lat === "" && lng === ""}
          onChange={(value) => apply({ radiusMeters: value })}
        />
        <CountrySelect path={path} value={country} onChange={(value) => apply({ country: value })} />
      </div>
      {fault.value && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
    </form>
  );
}

function whereText({ lat, lng, radiusMeters, country }: Draft): string {
  const circle = lat && lng ? `${formatDistance(radiusMeters)} around ${lat}, ${lng}` : "";
  return [circle, country && countryName(country)].filter(Boolean).join(" · ") || "Type a point or choose a country";
}

function CoordinateField(props: { label: string; value: string; limit: number; onInput: (value: string) => void }) {
  const { label, value, limit, onInput } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode="decimal"
        step="any"
        min={-limit}
        max={limit}
        placeholder="any"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

function draftOf({ path, centre, radiusMeters, country = "" }: Search): Draft {
  const lat = centre ? coordinate(centre.lat) : "";
  const lng = centre ? coordinate(centre.lon) : "";
  return { path, lat, lng, radiusMeters, country };
}

/** The typed point; undefined when both fields are empty, null when it is none. */
function centreOf(latText: string, lngText: string): Centre | undefined | null {
  if (latText === "" && lngText === "") return undefined;
  const [lat, lon] = [Number.parseFloat(latText), Number.parseFloat(lngText)];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : null;
}
