import { type Builder, type DataType, makeBuilder, type Vector } from "apache-arrow";

/**
 * Builds an Arrow vector of the values; null and undefined are missing. Arrow's own `vectorFromArray` compiles text to a
 * function, which the content security policy forbids.
 */
export function vectorOf<T extends DataType>(values: readonly unknown[], type: T): Vector<T> {
  const builder = makeBuilder<T>({ type });
  takeNulls(builder);
  for (const value of values) builder.append(value as T["TValue"] | null);
  return builder.finish().toVector();
}

function takeNulls(builder: Builder): void {
  Object.assign(builder, { _isValid: (value: unknown) => value !== null && value !== undefined });
  for (const child of builder.children) takeNulls(child);
}
