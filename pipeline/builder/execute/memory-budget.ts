interface Budget {
  /** Resolves when this much memory is free, first come, first served. */
  readonly take: (bytes: number) => Promise<void>;
  readonly give: (bytes: number) => void;
}

/** Returns a budget of memory in bytes that tasks share. */
export function createBudget(allBytes: number): Budget {
  let freeBytes = allBytes;
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  const serve = (): void => {
    for (let [first] = waiting; first && first.bytes <= freeBytes; [first] = waiting) {
      waiting.shift();
      freeBytes -= first.bytes;
      first.go();
    }
  };
  return {
    take: (bytes) =>
      new Promise((go) => {
        waiting.push({ bytes, go });
        serve();
      }),
    give: (bytes) => {
      freeBytes += bytes;
      serve();
    },
  };
}
