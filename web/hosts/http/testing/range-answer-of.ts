/**
 * Answers GET requests for files with ranges as RFC 9110 requires.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests
 * @module
 */

export interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Returns the answer for a file with a strong ETag. Multiple and invalid ranges get the whole file. */
export function answerFile(
  file: Uint8Array<ArrayBuffer>,
  {
    range,
    ifRange,
    tag = '"1"',
  }: { readonly range?: string | undefined; readonly ifRange?: string | undefined; readonly tag?: string } = {},
): FileAnswer {
  const headers = { "Accept-Ranges": "bytes", ETag: tag, "Content-Type": "application/octet-stream" };
  const whole = { status: 200, headers: { ...headers, "Content-Length": String(file.length) }, body: file };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? "") ?? [];
  const isRange = first !== "" || last !== "";
  const isBackwards = first !== "" && last !== "" && Number(last) < Number(first);
  if (!isRange || isBackwards || (ifRange !== undefined && ifRange !== tag)) return whole;
  const start = first === "" ? Math.max(0, file.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? file.length : Math.min(file.length, Number(last) + 1);
  if (start >= end) {
    const none = { "Content-Range": `bytes */${file.length}`, "Content-Length": "0" };
    return { status: 416, headers: { ...headers, ...none }, body: new Uint8Array() };
  }
  const part = { "Content-Range": `bytes ${start}-${end - 1}/${file.length}`, "Content-Length": String(end - start) };
  return { status: 206, headers: { ...headers, ...part }, body: file.slice(start, end) };
}
