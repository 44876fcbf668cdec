/**
 * One record by its id.
 * @module
 */
import { type Check, check } from "../check.ts";
import { type Answer, type Client, jsonOf, toItem } from "../client.ts";
import { expectError } from "../error-shape.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { randomFrom } from "../random.ts";
import type { OvertureType } from "../types.ts";

/** Unknown ids, some of them malicious. */
const UNKNOWN = ["00000000-0000-0000-0000-000000000000", "x", "'; DROP TABLE place; --", "<b>", "%", "é東", "a b"];

/** Makes the checks of single records. */
export function idChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    ...(path.choices ?? path.types).map((type) => knownCheck(oracle, path, type)),
    check(`${titleOf(path.path)}/{id}: an unknown id is a 404`, async ({ client }) => {
      for (const id of UNKNOWN) expectError(await client.get(`${path.path}/${encodeURIComponent(id)}`), 404);
    }),
  ]);
}

function knownCheck(oracle: Oracle, path: SearchPath, type: OvertureType): Check {
  return check(`${titleOf(path.path)}/{id}: returns the one ${type} record`, async ({ client }) => {
    const rows = oracle.served(path, path.choices ? { types: type } : {});
    if (rows.length === 0) throw new NotApplicable("the sources have no such rows");
    const random = randomFrom(type.length);
    for (let i = 0; i < 5; i++) {
      const row = random.of(rows);
      const answer = await byId(client, path, row.id, type);
      expect.equal(`${answer.request}: status`, answer.status, 200, answer.text);
      const { id, properties } = toItem(jsonOf(answer), answer.request);
      expect.equal("id", id, row.id);
      expect.equal("type", properties.type, type);
      expect.same("names", properties.names, row.properties.names);
    }
  });
}

/** Types that a path serves on request only may need `types`. */
async function byId(client: Client, { path, types }: SearchPath, id: string, type: OvertureType): Promise<Answer> {
  const place = `${path}/${encodeURIComponent(id)}`;
  const answer = await client.get(place);
  return answer.status === 200 || types.includes(type) ? answer : client.get(place, { types: type });
}
