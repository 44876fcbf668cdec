/** Paths of other geocoders: how they are described, and how their parameters are read. @module */
import type * as z from "zod/mini";
import { ParameterError, type Parameters, readValues, unknownFaults, type WithRequired } from "../search/index.ts";

export interface GeocoderPath {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodMiniObject;
  readonly required: readonly string[];
}

interface Rules<N> {
  /** Whether the parameter has no effect, so that any value is allowed. */
  readonly isIgnored: (name: string, value: unknown) => boolean;
  /** Returns the faults in the set of parameters that were sent, such as missing ones. */
  readonly faultsIn: (sent: ReadonlyMap<string, unknown>, required: readonly N[]) => readonly string[];
}

/**
 * Returns the values of the parameters. An empty value counts as left out: some programs send every parameter. Throws
 * `ParameterError` with every fault, also for unknown parameters.
 */
export function readGeocoder<T extends z.ZodMiniObject, const N extends string & keyof z.output<T>>(
  { schema, required }: { readonly schema: T; readonly required: readonly N[] },
  parameters: Parameters,
  { isIgnored, faultsIn }: Rules<N>,
): WithRequired<z.output<T>, N> {
  const isSent = ([name, value]: [string, unknown]) => value !== "" && !isIgnored(name, value);
  const sent = new Map(Object.entries(parameters).filter(isSent));
  const known = Object.keys(schema.shape);
  const { values, faults } = readValues(schema, Object.fromEntries([...sent].filter(([name]) => known.includes(name))));
  const all = [...faults, ...faultsIn(sent, required), ...unknownFaults([...sent.keys()], known)];
  if (values === undefined || all.length > 0) throw new ParameterError(all);
  return values as WithRequired<z.output<T>, N>;
}
