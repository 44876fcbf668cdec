/**
 * What a run asks: each question on the first network, the rest of what was chosen one at a time.
 * @module
 */
import type { BenchOptions } from "./arguments.ts";
import { isLate, notAsked } from "./measure.ts";
import type { Facts } from "./peer-files.ts";
import type { PeerName, Question } from "./question.ts";
import { type QuestionChoice, questionsOf } from "./questions.ts";
import type { Result } from "./report.ts";
import type { Network } from "./slow-host.ts";
import { groupBy } from "./statistics.ts";
import { type State, visitOf } from "./visits.ts";

/** A question on a network, in states of one visit. */
export interface Asked {
  readonly question: Question;
  readonly network: Network;
  readonly states: readonly State[];
}

type Choice = Pick<BenchOptions, "networks" | "states" | "isProduct"> & { readonly questions: QuestionChoice };

/**
 * The first limit, page and network that were chosen and the visit of the first state are asked of every question; each other
 * one of them, by itself, of the first question of each kind. With `isProduct` all combinations.
 */
export function planOf({ networks, states, questions, isProduct }: Choice, facts: Facts): Asked[] {
  const visits = [...groupBy(states, visitOf).values()];
  const combined = (some: readonly Question[], on: readonly Network[], inVisits: readonly (readonly State[])[]) =>
    on.flatMap((network) =>
      some.flatMap((question) => inVisits.map((visit): Asked => ({ question, network, states: visit }))),
    );
  if (isProduct) return combined(questionsOf(questions, facts), networks, visits);
  const { limits, pages, radii, centres } = questions;
  const first = { ...questions, limits: limits.slice(0, 1), pages: pages.slice(0, 1) };
  const every = questionsOf(first, facts);
  const leading = [...groupBy(every, ({ kind }) => kind).values()].flatMap((of) => of.slice(0, 1));
  const lead = { ...first, radii: radii.slice(0, 1), centres: centres.slice(0, 1) };
  const varied = [
    {
      ...lead,
      limits: limits.slice(1),
      kinds: questions.kinds.filter((kind) => kind === "circle" || kind === "filter"),
    },
    { ...lead, pages: pages.slice(1), kinds: questions.kinds.filter((kind) => kind === "circle") },
  ].flatMap((choice) => questionsOf(choice, facts));
  return [
    ...combined([...every, ...varied], networks.slice(0, 1), visits.slice(0, 1)),
    ...combined(leading, networks.slice(0, 1), visits.slice(1)),
    ...combined(leading, networks.slice(1), visits.slice(0, 1)),
  ];
}

/** Who was late with what: they are not asked for that circle nor a larger one again, nor for any other question of a kind without circles. */
export class GivenUp {
  /** The least radius, in metres, that a peer was late with; 0 for what has none. */
  readonly #least = new Map<string, number>();

  /** What to report in place of asking; undefined when the peer is to be asked. */
  inPlaceOf(asked: Asked & { readonly peer: PeerName }): Result[] | undefined {
    const least = this.#least.get(keyOf(asked));
    return least !== undefined && least <= radiusOf(asked.question) ? notAsked(asked) : undefined;
  }

  note(asked: Asked & { readonly peer: PeerName }, results: readonly Result[]): void {
    if (!results.some(isLate)) return;
    const key = keyOf(asked);
    this.#least.set(key, Math.min(this.#least.get(key) ?? Number.POSITIVE_INFINITY, radiusOf(asked.question)));
  }
}

function keyOf({ peer, question, network, states }: Asked & { readonly peer: PeerName }): string {
  const [state] = states;
  return `${peer} ${question.kind} ${network.name} ${state && visitOf(state)}`;
}

function radiusOf(question: Question): number {
  return "radiusMeters" in question ? question.radiusMeters : 0;
}
