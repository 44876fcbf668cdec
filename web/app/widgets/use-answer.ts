import { useSignal, useSignalEffect } from "@preact/signals";

/** What a question came to; undefined while it is under way, and where nothing is asked. */
export type Answer<T> = { readonly value: T } | { readonly error: unknown } | undefined;

/** Asks, and asks again when a signal changes that `ask` reads at once. A question whose answer nobody waits for any more is aborted. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T> | undefined): Answer<T> {
  const answer = useSignal<Answer<T>>(undefined);
  useSignalEffect(() => {
    answer.value = undefined;
    const asking = new AbortController();
    const settle = (settled: Answer<T>) => {
      if (!asking.signal.aborted) answer.value = settled;
    };
    ask(asking.signal)?.then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    );
    return () => asking.abort();
  });
  return answer.value;
}
