/**
 * The reference of errors, from the lists in the program.
 * @module
 */
import { COMMAND_ERRORS } from "../../pipeline/base/errors/index.ts";
import { ERRORS } from "../../web/api/index.ts";

export const ERRORS_PAGE = "docs/reference/errors.md";

/** Returns the page. */
export function errorsPage(): string {
  return `${[
    "# Errors",
    "With this page you find out why a request or a command failed, and what to do next. `npm run docs` writes it. Codes do not change.",
    "## Requests",
    "An error of the [REST interface](rest.md) has a code in the header `Cairn-Error`. The body has `statusCode`, `message` and `error`. `/ogc` answers `code` and `description` of the OGC standard instead, and `/nominatim` the errors of Nominatim. In JavaScript, `RequestError` of the [ES module](../guides/embedding.md) has the `status`.",
    [
      "| code | status | what happened | allowed | next step |",
      "|---|---|---|---|---|",
      ...Object.entries(ERRORS).map(
        ([code, { status, happened, allowed, next }]) =>
          `| \`${code}\` | ${status} | ${happened} | ${allowed} | ${next} |`,
      ),
    ].join("\n"),
    "## Commands",
    'An error is a line on standard error, with what happened, the value and what is allowed. It ends with the code: `cairn: nope: no such file or folder; check the path [CAIRN_E_NO_FILE]`. For wrong usage, a second line `(try --help)` replaces the code. `cairn help errors` lists the codes. With `--json`, the last line of standard error is `{"code": .., "message": ..}`.',
    [
      "| code | what happened | allowed | next step |",
      "|---|---|---|---|",
      ...Object.entries(COMMAND_ERRORS).map(
        ([code, { happened, allowed, next }]) => `| \`${code}\` | ${happened} | ${allowed} | ${next} |`,
      ),
    ].join("\n"),
  ].join("\n\n")}\n`;
}
