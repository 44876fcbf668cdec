/**
 * Keys: required only if configured.
 * @module
 */
import { type Check, check } from "../check.ts";
import { expectError } from "../error-shape.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { COUNT_PATHS, SEARCH_PATHS, titleOf } from "../paths.ts";

const QUERY = "?country=MC&limit=1";
const PATHS = [...SEARCH_PATHS.map(({ path }) => path), ...COUNT_PATHS];

/** Makes the checks of keys. */
export function keyChecks(_oracle: Oracle): Check[] {
  return PATHS.flatMap((path) => {
    const title = titleOf(path);
    return [
      check(`${title}: without a key configured, x-api-key and api_key are not looked at`, async ({ client, key }) => {
        if (key !== undefined) throw new NotApplicable("a key is configured");
        const plain = await client.raw(path + QUERY);
        const sent = await client.raw(path + QUERY, { headers: { "x-api-key": "anything" } });
        const inQuery = await client.raw(`${path}${QUERY}&api_key=anything`);
        for (const { status, text } of [plain, sent, inQuery]) expect.equal("status", status, 200, text);
        expect.equal("body with api_key", inQuery.text, plain.text);
      }),
      check(`${title}: a missing or unknown x-api-key is a 401, the right one is not`, async ({ client, key }) => {
        if (key === undefined) throw new NotApplicable("no key is configured; give one with --key");
        const header = (value: string) => ({ headers: { "x-api-key": value } });
        for (const init of [{}, header(""), header(`${key}x`), header(key.slice(1))]) {
          const lines = expectError(await client.raw(path + QUERY, init), 401);
          expect.true(
            "message",
            lines.some((line) => line.includes("x-api-key")),
            lines,
            "x-api-key",
          );
          expect.true("message", !lines.some((line) => line.includes(key)), "the key", "no key");
        }
        expectError(await client.raw(`${path}${QUERY}&api_key=wrong`), 401);
        expect.equal("status with the key", (await client.raw(path + QUERY, header(key))).status, 200);
        const inQuery = await client.raw(`${path}${QUERY}&api_key=${encodeURIComponent(key)}`);
        expect.equal("status with api_key", inQuery.status, 200);
      }),
    ];
  });
}
