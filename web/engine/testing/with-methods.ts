import type { Dataset } from "../index.ts";

/** The dataset with other methods, also on each of its releases. */
export function withMethods(dataset: Dataset, methodsOf: (inner: Dataset) => Partial<Dataset>): Dataset {
  return {
    ...dataset,
    ...methodsOf(dataset),
    onRelease: (work, options) => dataset.onRelease((pinned) => work(withMethods(pinned, methodsOf)), options),
  };
}
