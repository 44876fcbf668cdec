import type { OpenState, Week } from "../../../../data/hours/index.ts";

export interface HoursPlace {
  readonly lon: number;
  readonly lat: number;
  /** ISO 3166-1 alpha-2 code of the country whose holidays count. */
  readonly country?: string | undefined;
}

export interface HoursQuestion extends HoursPlace {
  readonly text: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
}

export interface HoursAnswer extends OpenState {
  readonly week: Week;
  /** Day of the week at the place, 0 for Monday to 6. */
  readonly today: number;
  /** Time zone such as `Europe/Monaco`. */
  readonly zone: string;
  /** Whether `zone` is that of the place. False if it is that of the device. */
  readonly isOfPlace: boolean;
}

export interface HoursCalls {
  /** Returns the opening hours and their state; undefined for a text that is not understood. */
  hours: { argument: HoursQuestion; value: HoursAnswer | undefined };
}
