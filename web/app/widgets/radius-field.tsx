import { useSignal } from "@preact/signals";
import { MAX_RADIUS_METERS, MIN_RADIUS_METERS } from "../address/index.ts";
import { formatCount, formatDistance, text } from "../text/index.ts";

/** Stops of the slider, at round numbers. */
const STEPS = [
  25, 50, 100, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 50_000, 75_000,
  100_000, 200_000, 300_000, 500_000,
] as const;

interface Props {
  readonly value: number;
  readonly isDisabled: boolean;
  readonly onChange: (radiusMeters: number) => void;
}

/** The radius: by slider in round steps, or typed in metres. */
export function RadiusField({ value, isDisabled, onChange }: Props) {
  const refused = useSignal<string | undefined>(undefined);
  const step = STEPS.findIndex((metres) => metres >= value);
  return (
    <div class="radius">
      <label class="field radius-slider">
        <span>
          {text("where.radius")} <strong>{formatDistance(value)}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={STEPS.length - 1}
          step={1}
          value={step === -1 ? STEPS.length - 1 : step}
          disabled={isDisabled}
          aria-valuetext={formatDistance(value)}
          onChange={(event) => {
            refused.value = undefined;
            onChange(STEPS[event.currentTarget.valueAsNumber] ?? value);
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
