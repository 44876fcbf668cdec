import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { OVERTURE_CATALOG } from "../../data/format/overture-hosts.ts";
import { type Place, placeAt } from "../../data/release/index.ts";

/** Overture's own when left out. Throws when it is neither an address nor a folder. */
export function parsePlace(from: string | undefined, env: Readonly<Record<string, string | undefined>> = {}): Place {
  return placeAt(from === undefined ? OVERTURE_CATALOG : addressOf(from, env));
}

function addressOf(from: string, env: Readonly<Record<string, string | undefined>>): string {
  if (/^(https?|file):\/\//i.test(from) && URL.canParse(from)) return from;
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(from) ?? [];
  if (bucket !== undefined) return `${endpointOf(bucket, env)}/${key}`;
  if (existsSync(from)) return pathToFileURL(resolve(from)).href;
  throw new Error(`a mirror is an address (https:, http:, s3:, file:) or a folder, got ${from}`);
}

/** By the usual variables of the environment. */
function endpointOf(bucket: string, env: Readonly<Record<string, string | undefined>>): string {
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  if (endpoint) return `${endpoint.replace(/\/$/, "")}/${bucket}`;
  return `https://${bucket}.s3.${env.AWS_REGION ?? "us-west-2"}.amazonaws.com`;
}
