import { basename } from "node:path";

/** Returns the address of the data: of a Google Sheet, its export as CSV. */
export function dataAddress(given: string): string {
  const url = new URL(given);
  const sheet = /^\/spreadsheets\/d\/([\w-]+)(?:\/(?:edit|view|htmlview|preview)?)?$/.exec(url.pathname)?.[1];
  if (url.hostname !== "docs.google.com" || sheet === undefined || sheet === "e") {
    url.hash = "";
    return url.href;
  }
  const gid = url.searchParams.get("gid") ?? /\bgid=(\d+)/.exec(url.hash)?.[1];
  return `https://docs.google.com/spreadsheets/d/${sheet}/export?format=csv${gid === null || gid === undefined ? "" : `&gid=${gid}`}`;
}

/** Parts of addresses that name the export, not the table. */
const GENERIC =
  /^(export|exports|pub|download|downloads|rows|query|items|data|file|files|api|v\d+(\.\d+)?|csv|json|geojson|xlsx|interpreter)$/i;

/** Returns a name for the file, which names the collection: from the address, otherwise the one that the host gives. */
export function fileNameOf(address: string, disposition: string | null): string {
  const { pathname, hostname } = new URL(address);
  const parts = pathname.split("/").filter((part) => part !== "");
  const named = parts
    .map(decoded)
    .toReversed()
    .find((part) => !GENERIC.test(stemOf(part)) && /\p{L}{2}/u.test(stemOf(part)));
  const stated = dispositionName(disposition);
  const last = decoded(parts.at(-1) ?? "");
  const isOwn = /\.\w{2,8}$/.test(last) && !GENERIC.test(stemOf(last));
  const name = isOwn ? last : (stated ?? named ?? hostname);
  const safe = basename(name.replaceAll("\\", "/"))
    .replace(/[^\p{L}\p{N}._ -]+/gu, "_")
    .replace(/^\.+/, "");
  return safe === "" ? "table" : safe.slice(0, 100);
}

const stemOf = (name: string): string => name.split(".")[0] ?? "";

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc6266 */
function dispositionName(text: string | null): string | undefined {
  if (text === null) return undefined;
  const extended = /filename\*\s*=\s*(?:UTF-8)?'[^']*'([^;]+)/i.exec(text)?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  return /filename\s*=\s*"?([^";]+)"?/i.exec(text)?.[1]?.trim();
}
