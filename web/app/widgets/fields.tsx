/** Fields that several modules use: a choice, a country, a radius. @module */
import { useSignal } from "@preact/signals";
import { collectionsOf, MAX_RADIUS_METERS, MIN_RADIUS_METERS, type Search } from "../address/index.ts";
import { dataset } from "../state/index.ts";
import { countryName, formatCount, formatDistance, locale, text } from "../text/index.ts";

interface ChoiceProps {
  readonly type: "radio" | "checkbox";
  readonly class: string;
  /** Name of the group, for radio buttons. */
  readonly name?: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** A line with a radio button or a checkbox. */
export function Choice({ type, class: own, name, label, hint, isChosen, onChange }: ChoiceProps) {
  return (
    <label class={own}>
      <input type={type} name={name} checked={isChosen} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="quiet"> {hint}</span>}
      </span>
    </label>
  );
}

interface CountryProps {
  readonly search: Search;
  readonly onChange: (code: string | undefined) => void;
}

/** Selects one of the countries that have rows of the chosen kind, with the numbers of rows. */
export function CountrySelect({ search, onChange }: CountryProps) {
  const { country = "" } = search;
  const rows = countryRows(search);
  const options = [...rows]
    .map(([code, count]) => ({ code, name: countryName(code), count }))
    .sort((a, b) => a.name.localeCompare(b.name, locale.value));
  return (
    <label class="field">
      <span>{text("where.country")}</span>
      <select value={country} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
        <option value="">{text("where.anyCountry")}</option>
        {country && !rows.has(country) && (
          <option value={country}>
            {countryName(country)} ({formatCount(0)})
          </option>
        )}
        {options.map(({ code, name, count }) => (
          <option key={code} value={code}>
            {name} ({formatCount(count)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the number of rows by country, for the collections that the search reads. Of its filters only `types` counts. */
export function countryRows({ path, filters }: Search): Map<string, number> {
  const rows = new Map<string, number>();
  const searched = collectionsOf(path, filters);
  for (const collection of dataset.value?.collections ?? []) {
    if (!searched.includes(collection.name)) continue;
    for (const [code, count] of Object.entries(collection.countries)) rows.set(code, (rows.get(code) ?? 0) + count);
  }
  return rows;
}

/** Radii that the slider can have. */
const SLIDER_METERS = [
  25, 50, 100, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 50_000, 75_000,
  100_000, 200_000, 300_000, 500_000,
] as const;

interface RadiusProps {
  readonly value: number;
  readonly isDisabled: boolean;
  readonly onChange: (radiusMeters: number) => void;
}

/** Fields for the radius: a slider with round steps, and a number of metres. */
export function RadiusField({ value, isDisabled, onChange }: RadiusProps) {
  const refused = useSignal<string | undefined>(undefined);
  const step = SLIDER_METERS.findIndex((metres) => metres >= value);
  return (
    <div class="radius">
      <label class="field radius-slider">
        <span>
          {text("where.radius")} <strong>{formatDistance(value)}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={SLIDER_METERS.length - 1}
          step={1}
          value={step === -1 ? SLIDER_METERS.length - 1 : step}
          disabled={isDisabled}
          aria-valuetext={formatDistance(value)}
          onChange={(event) => {
            refused.value = undefined;
            onChange(SLIDER_METERS[event.currentTarget.valueAsNumber] ?? value);
          }}
        />
      </label>
      <label class="field radius-metres">
        <span>{text("where.metres")}</span>
        <input
          type="number"
          inputMode="numeric"
          min={MIN_RADIUS_METERS}
          max={MAX_RADIUS_METERS}
          aria-invalid={refused.value !== undefined}
          step="any"
          value={value}
          disabled={isDisabled}
          onChange={(event) => {
            const { value: typed, valueAsNumber: metres } = event.currentTarget;
            const isSound = metres >= MIN_RADIUS_METERS && metres <= MAX_RADIUS_METERS;
            refused.value = isSound ? undefined : typed;
            if (isSound) onChange(metres);
            else event.currentTarget.value = String(value);
          }}
        />
      </label>
      {refused.value !== undefined && (
        <p class="fault radius-fault" role="alert">
          {text("where.badRadius", {
            given: refused.value,
            least: formatCount(MIN_RADIUS_METERS),
            most: formatCount(MAX_RADIUS_METERS),
          })}
        </p>
      )}
    </div>
  );
}
