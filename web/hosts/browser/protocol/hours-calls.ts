import type { OpenState, Week } from "../../../../data/hours/index.ts";

export interface HoursPlace {
  readonly lon: number;
  readonly lat: number;
  /** ISO 3166-1 alpha-2, for its holidays. */
  readonly country?: string | undefined;
}

export interface HoursQuestion extends HoursPlace {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface HoursAnswer extends OpenState {
  readonly week: Week;
  /** From Monday, 0 to 6. */
  readonly today: number;
  /** Such as `Europe/Monaco`. */
  readonly zone: string;
  /** False if it is the zone of the device. */
  readonly isOfPlace: boolean;
}

export interface HoursCalls {
  /** Undefined for a text that is not understood. */
  hours: { argument: HoursQuestion; value: HoursAnswer | undefined };
}
