import { useSignal, useSignalEffect } from "@preact/signals";

/** The result of a request; undefined while it runs, and if there is none. */
export type Answer<T> = { readonly value: T } | { readonly error: unknown } | undefined;

/**
 * Sends the request of `ask`, and another one when a signal changes that `ask` reads synchronously. The earlier one is aborted
 * then, or when the component is removed.
 */
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

/** Like `useAnswer`, and returns a function that sends the request again. */
export function useRetried<T>(ask: (signal: AbortSignal) => Promise<T> | undefined) {
  const tries = useSignal(0);
  const answer = useAnswer((signal) => {
    tries.value;
    return ask(signal);
  });
  const retry = () => {
    tries.value += 1;
  };
  return { answer, retry };
}
