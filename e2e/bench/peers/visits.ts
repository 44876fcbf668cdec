/**
 * States of a question, and which of them follow each other in one visit.
 * @module
 */

const VISITS = {
  opening: {
    first: "first visit with an empty browser, opening included",
    cached: "new page, files cached, opening included",
  },
  opened: {
    cold: "page open, map at the place, no data loaded",
    warm: "the same search again",
    pan: "300 m further, after one such step and a pause",
  },
} as const;

export type VisitName = keyof typeof VISITS;
export type State = { [V in VisitName]: keyof (typeof VISITS)[V] }[VisitName];

/** Meaning of each state. */
export const STATES: Readonly<Record<State, string>> = { ...VISITS.opening, ...VISITS.opened };

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

/** Returns the visit of a state. */
export function visitOf(state: State): VisitName {
  return Object.hasOwn(VISITS.opening, state) ? "opening" : "opened";
}

/** States in the order of the visit. */
export function statesOf(visit: VisitName): readonly State[] {
  return STATE_NAMES.filter((state) => visitOf(state) === visit);
}
