/** Parts of both OpenAPI documents. @module */

export const CONTACT = { name: "Operator of this service" };
export const LICENSE = { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" };

const KEY = "key";
export const KEY_SCHEMES = {
  [KEY]: { type: "apiKey", in: "header", name: "x-api-key", description: "Only if the service requires keys." },
} as const;
export const SECURITY = [{ [KEY]: [] }, {}];
