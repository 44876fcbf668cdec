export { IMMUTABLE, isNamedByHash, MEDIA_TYPES, mediaTypeOf, REVALIDATE } from "./caching.ts";
export { fetchWithin, RedirectError } from "./fetch-within.ts";
export { type HttpSourceOptions, httpSource } from "./http-source.ts";
export { createPackMemory } from "./pack-memory.ts";
export { allowedRelease, contentSecurityPolicy, DATASET_POLICY, datasetElsewhere, pinnedKey } from "./policy.ts";
export { createRecentBytes, type RecentBytes } from "./recent-bytes.ts";
export { readBody, wait } from "./request.ts";
