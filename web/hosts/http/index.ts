export { fetchWithin, RedirectError } from "./fetch-within.ts";
export { httpSource } from "./http-source.ts";
export { contentSecurityPolicy, DATASET_POLICY, datasetElsewhere } from "./policy.ts";
