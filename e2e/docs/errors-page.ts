/**
 * The reference of errors, from the list in the program.
 * @module
 */
import { ERRORS } from "../../web/api/index.ts";

export const ERRORS_PAGE = "docs/reference/errors.md";

/** Returns the page. */
export function errorsPage(): string {
  return `${[
    "# Errors",
    "With this page you find out why a request failed, and what to do next. `npm run docs` writes it from `web/api/error-codes.ts`.",
    "Every error of the [REST interface](rest.md) has a code in the header `Cairn-Error`. Codes do not change. The body has `statusCode`, `message` and `error`, as in the specification of the public service. Each line of `message` contains what happened, the value, and what is allowed. `/ogc` answers `code` and `description` of the OGC standard instead. In JavaScript, `RequestError` of the [ES module](../guides/embedding.md) has the `status`.",
    [
      "| code | status | what happened | allowed | next step |",
      "|---|---|---|---|---|",
      ...Object.entries(ERRORS).map(
        ([code, { status, happened, allowed, next }]) =>
          `| \`${code}\` | ${status} | ${happened} | ${allowed} | ${next} |`,
      ),
    ].join("\n"),
    "Commands report errors as one line on standard error, and with an [exit code](command-line.md#exit-codes).",
  ].join("\n\n")}\n`;
}
