/**
 * Classes of the values of a column, and their colours on the map. Numbers have quantiles as classes, other values one class for
 * each of the most frequent ones. @module
 */

/** The value of a record in the column; undefined if it is unknown. */
export type ColourValue = number | string | boolean | undefined;

type ColourClasses =
  | {
      readonly kind: "numbers";
      /** Lowest and highest value of each class, ascending. */
      readonly ranges: readonly (readonly [lowest: number, highest: number])[];
    }
  | {
      readonly kind: "categories";
      /** The most frequent value first. */
      readonly values: readonly string[];
      /** Whether there are further values. */
      readonly hasOthers: boolean;
    };

const FEWEST_CLASSES = 5;
const MOST_CLASSES = 7;
/** One more class for each time this number of different values. */
const VALUES_PER_CLASS = 10;
const MOST_CATEGORIES = 8;

/** Colours for numbers, from low to high. In the dark scheme the highest values are the brightest. */
const RAMPS = {
  light: ["#c3d7ea", "#a0c0de", "#7ca7d0", "#5a8dc0", "#3d72aa", "#27568e", "#143a6b"],
  dark: ["#34495c", "#416280", "#507ca5", "#6496c6", "#85b2e0", "#adcff3", "#dcedff"],
} as const;
/**
 * Distinguishable for colour-blind people.
 * @see https://personal.sron.nl/~pault/ "muted" and "light"
 */
const SETS = {
  light: ["#332288", "#cc6677", "#117733", "#88ccee", "#882255", "#999933", "#aa4499", "#44aa99"],
  dark: ["#77aadd", "#ee8866", "#44bb99", "#eedd88", "#ffaabb", "#aaaa00", "#99ddff", "#bbcc33"],
} as const;
const OTHERS = { light: "#292524", dark: "#f5f5f4" } as const;
const UNKNOWN = { light: "#c9c4bd", dark: "#656c72" } as const;

/** Returns the classes of the values. Undefined if the values do not differ, or if most occur only once, like names. */
export function colourClasses(values: readonly ColourValue[]): ColourClasses | undefined {
  const known = values.filter((value) => value !== undefined && value !== "");
  const numbers = known.filter((value) => typeof value === "number" && Number.isFinite(value)) as number[];
  if (known.length > 0 && numbers.length === known.length) return numberClasses(numbers);
  const counts = new Map<string, number>();
  for (const value of known) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  const repeated = known.filter((value) => (counts.get(String(value)) ?? 0) > 1).length;
  if (counts.size < 2 || (counts.size > MOST_CATEGORIES && repeated < known.length / 3)) return undefined;
  const sorted = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return {
    kind: "categories",
    values: sorted.slice(0, MOST_CATEGORIES).map(([value]) => value),
    hasOthers: sorted.length > MOST_CATEGORIES,
  };
}

/** Returns quantiles. Equal values are in the same class, so there may be fewer classes than usual. */
function numberClasses(numbers: readonly number[]): ColourClasses | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  if (distinct.length < 2) return undefined;
  const wanted = Math.max(FEWEST_CLASSES, Math.min(MOST_CLASSES, Math.floor(sorted.length / VALUES_PER_CLASS)));
  const starts =
    distinct.length <= wanted
      ? distinct
      : [
          ...new Set(
            Array.from({ length: wanted }, (_, i) => sorted[Math.floor((i * sorted.length) / wanted)] as number),
          ),
        ];
  const ranges = starts.map((start, i): [number, number] => {
    const next = starts[i + 1] ?? Number.POSITIVE_INFINITY;
    return [start, distinct.findLast((value) => value < next) ?? start];
  });
  return { kind: "numbers", ranges };
}

/** One line of a legend: a colour and what it means. */
export interface ColourClass {
  readonly colour: string;
  readonly means:
    | { readonly kind: "range"; readonly lowest: number; readonly highest: number }
    | { readonly kind: "value"; readonly value: string }
    | { readonly kind: "others" }
    | { readonly kind: "unknown" };
}

/** Returns the lines of the legend. The last one is for records without a value. */
export function colourLegend(classes: ColourClasses, isDark: boolean): readonly ColourClass[] {
  const look = isDark ? "dark" : "light";
  const unknown: ColourClass = { colour: UNKNOWN[look], means: { kind: "unknown" } };
  if (classes.kind === "numbers") {
    const { ranges } = classes;
    const ramp = RAMPS[look];
    const shade = (index: number) => {
      const at = ranges.length > 1 ? Math.round((index * (ramp.length - 1)) / (ranges.length - 1)) : 0;
      return ramp[at] ?? ramp[0];
    };
    const lines = ranges.map(
      ([lowest, highest], i): ColourClass => ({ colour: shade(i), means: { kind: "range", lowest, highest } }),
    );
    return [...lines, unknown];
  }
  const lines = classes.values.map(
    (value, i): ColourClass => ({ colour: SETS[look][i] ?? OTHERS[look], means: { kind: "value", value } }),
  );
  const others: ColourClass[] = classes.hasOthers ? [{ colour: OTHERS[look], means: { kind: "others" } }] : [];
  return [...lines, ...others, unknown];
}

/** Returns the colour of a value in the legend: that of unknown values if the value has none. */
export function colourOf(legend: readonly ColourClass[], value: ColourValue): string {
  const isMeant = ({ means }: ColourClass) => {
    if (means.kind === "unknown") return true;
    if (value === undefined || value === "") return false;
    if (means.kind === "range") return typeof value === "number" && value <= means.highest;
    return means.kind === "value" ? means.value === String(value) : true;
  };
  return (legend.find(isMeant) ?? legend.at(-1))?.colour ?? UNKNOWN.light;
}

/** Luminance of a colour with the same contrast to black as to white. */
const MIDDLE_LUMINANCE = 0.179;

/** Returns `#000000` or `#ffffff`, whichever has more contrast to the colour `#rrggbb`. */
export function inkOn(colour: string): string {
  return luminance(colour) > MIDDLE_LUMINANCE ? "#000000" : "#ffffff";
}

/** Returns the relative luminance of `#rrggbb`, 0 to 1, as WCAG defines it. */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
