/** The latest answers in memory: going back to one needs no worker. @module */
import type { AnswerReport } from "../../hosts/browser/protocol/index.ts";

/** About as many searches as a person steps back through. */
const MOST_ANSWERS = 20;
/** Longer lists are sent in many messages, and would fill the memory. */
const MOST_RECORDS = 100;

interface Answer {
  readonly records: readonly unknown[];
  readonly milliseconds: number;
  readonly report?: AnswerReport;
}

/** Creates a memory of answers by their questions. */
export function createAnswerMemory<Kept extends Answer>() {
  const answers = new Map<string, Kept>();
  return {
    /** Keeps the answer to a question, instead of the oldest one. */
    keep(question: string, answer: Kept): void {
      answers.delete(question);
      if (answer.records.length > MOST_RECORDS) return;
      answers.set(question, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= MOST_ANSWERS) return;
        answers.delete(oldest);
      }
    },
    /** Returns the answer with a report in which nothing was read; undefined if it is not in memory. */
    find(question: string): Kept | undefined {
      const answer = answers.get(question);
      if (!answer?.report) return answer;
      const files = answer.report.files.map((file) => ({ ...file, from: "memory" as const }));
      const milliseconds = { plan: 0, read: 0, execute: 0 };
      return { ...answer, milliseconds: 0, report: { ...answer.report, files, milliseconds } };
    },
  };
}
