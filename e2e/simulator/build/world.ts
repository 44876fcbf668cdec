/**
 * Prepares sessions of builds.
 * @module
 */
import type { Change } from "../program.ts";
import { loadBuilder, type Recordings, record } from "./recordings.ts";
import type { World } from "./session.ts";

/** Bundles the builder, with the changes if there are any. Builds the inputs unless they are given. */
export async function createBuildWorld(changes: readonly Change[] = [], made?: Recordings): Promise<World> {
  const [recordings, start] = await Promise.all([made ?? record(), loadBuilder(changes)]);
  return { recordings, start, idle: [] };
}
