/** Where a release is read: Overture's catalogue, or a mirror, which has everything below one address and is never left. @module */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const OVERTURE = "https://stac.overturemaps.org/catalog.json";

export interface Place {
  readonly catalog: string;
  readonly isMirror: boolean;
}

/** Overture's own when left out. Throws when it is neither an address nor a folder. */
export function parsePlace(from: string | undefined, env: Readonly<Record<string, string | undefined>> = {}): Place {
  if (from === undefined) return { catalog: OVERTURE, isMirror: false };
  const address = addressOf(from, env);
  return { catalog: /\.json$/.test(address) ? address : `${address.replace(/\/?$/, "/")}catalog.json`, isMirror: true };
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

export interface Locate {
  readonly document: (href: string, in_: string) => string;
  readonly file: (href: string, in_: string) => string;
}

/** `self` is what the root catalogue says of its own address. */
export function locateIn({ catalog, isMirror }: Place, self: string | undefined): Locate {
  const base = new URL(".", catalog).href;
  const said = new URL(".", self ?? catalog).href;
  /** From the address that the catalogue speaks of to the one it is at. */
  const here = (address: string): string | undefined => {
    if (address.startsWith(base)) return address;
    return address.startsWith(said) ? base + address.slice(said.length) : undefined;
  };
  const checked = (address: string): string => {
    const { protocol } = new URL(address);
    if (protocol === "https:" || protocol === "http:" || (protocol === "file:" && address.startsWith(base)))
      return address;
    throw new Error(`${catalog} names ${address}: expected an address of https: or http:`);
  };
  return {
    document: (href, at) => {
      const address = new URL(href, at).href;
      const found = here(address) ?? (isMirror ? undefined : address);
      if (found === undefined) throw new Error(`${catalog} leads to ${address}, out of the mirror`);
      return checked(found);
    },
    file: (href, at) => {
      const address = new URL(href, at).href;
      const inMirror = here(address);
      if (inMirror !== undefined || !isMirror) return checked(inMirror ?? address);
      const path = /\/(release\/.*)$/.exec(address)?.[1];
      if (path === undefined) throw new Error(`${catalog} names ${address}: expected a file below release/`);
      return checked(base + path);
    },
  };
}
