/**
 * States that a question is asked in, and which of them follow one another in one visit.
 * @module
 */

const VISITS = {
  opening: {
    first: "first visit: empty browser, opening included",
    cached: "new page, files cached, opening included",
  },
  opened: {
    cold: "opened, at rest with the map at the place, no data yet",
    warm: "the same again",
    pan: "300 m on, after one such step and a rest",
  },
} as const;

export type VisitName = keyof typeof VISITS;
export type State = { [V in VisitName]: keyof (typeof VISITS)[V] }[VisitName];

/** What each state means. */
export const STATES: Readonly<Record<State, string>> = { ...VISITS.opening, ...VISITS.opened };

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

/** The visit that a state belongs to. */
export function visitOf(state: State): VisitName {
  return Object.hasOwn(VISITS.opening, state) ? "opening" : "opened";
}

/** In the order they are come to. */
export function statesOf(visit: VisitName): readonly State[] {
  return STATE_NAMES.filter((state) => visitOf(state) === visit);
}
