/**
 * An operation of a path of geocoding.
 * @module
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Dataset } from "../engine/index.ts";
import type { Frame, Parameters } from "../search/index.ts";
import type { documented } from "./schemas.ts";

/** A path as the OpenAPI document describes it, and how it is answered. */
export interface Operation {
  readonly query: ReturnType<typeof documented>;
  readonly responses: RouteConfig["responses"];
  find(
    dataset: Dataset,
    parameters: Parameters,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly frame: Frame; readonly values: readonly unknown[] }>;
}
