/**
 * Requests and answers over the transport of the suite.
 * @module
 */

import { expect } from "./expect.ts";
import { isObject, type Json, parseJson, show } from "./json.ts";

/** Sends a request for a path below the base URL. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export type Query = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

export interface Answer {
  /** Method and path, for messages. */
  readonly request: string;
  readonly method: string;
  /** Path below the base URL, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Client {
  get(path: string, query?: Query, init?: RequestInit): Promise<Answer>;
  /** Without a key, and without a check against the OpenAPI document. */
  raw(path: string, init?: RequestInit): Promise<Answer>;
}

export interface ClientOptions {
  readonly send: Send;
  readonly key?: string;
  /** Called with every answer to `get`. */
  readonly onAnswer: (answer: Answer) => void;
}

/** Creates a client. */
export function createClient({ send, key, onAnswer }: ClientOptions): Client {
  const raw = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const method = init.method ?? "GET";
    const { status, headers, ...rest } = await readAnswer(await send(path, init));
    return { request: `${method} ${path}`, method, path: path.replace(/\?.*$/s, ""), status, headers, ...rest };
  };
  return {
    raw,
    async get(path, query = {}, init = {}) {
      const search = queryString(query);
      const headers = {
        ...Object.fromEntries(new Headers(init.headers)),
        ...(key === undefined ? {} : { "x-api-key": key }),
      };
      const answer = await raw(search === "" ? path : `${path}?${search}`, { ...init, headers });
      onAnswer(answer);
      return answer;
    },
  };
}

async function readAnswer(response: Response): Promise<Pick<Answer, "status" | "headers" | "text">> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the query string. */
export function queryString(query: Query): string {
  const pairs = isPairs(query) ? query : Object.entries(query);
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

function isPairs(query: Query): query is readonly (readonly [string, string])[] {
  return Array.isArray(query);
}

/** Parses the body as JSON. */
export function jsonOf({ text, request }: Answer): Json {
  try {
    return parseJson(text);
  } catch {
    throw expect.mismatch(`${request}: body`, text, "JSON");
  }
}

export interface Item {
  readonly id: string;
  readonly geometry: Json;
  readonly properties: Readonly<Record<string, Json>>;
  readonly whole: Json;
}

/** Returns the records of an answer that must be 200 with a JSON array of features. */
export function itemsOf(answer: Answer): Item[] {
  expect.equal(`${answer.request}: status`, answer.status, 200, answer.text);
  const body = jsonOf(answer);
  if (!Array.isArray(body)) throw expect.mismatch(`${answer.request}: body`, body, "a JSON array");
  return body.map((whole) => toItem(whole, answer.request));
}

/** Converts a feature to an item. */
export function toItem(whole: Json, request: string): Item {
  const { id, geometry, properties } = isObject(whole) ? whole : {};
  if (typeof id !== "string" || geometry === undefined || !isObject(properties))
    throw expect.mismatch(`${request}: record`, whole, "id, type, geometry and properties");
  return { id, geometry, properties, whole };
}

/** Returns a header that must be an integer. */
export function countHeader(answer: Answer, name: string): number {
  const text = answer.headers.get(name);
  if (text === null || !/^\d+$/.test(text)) throw expect.mismatch(`${answer.request}: ${name}`, show(text), "a count");
  return Number(text);
}
