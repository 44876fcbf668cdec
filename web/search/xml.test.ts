import { DOMParser } from "@xmldom/xmldom";
import fc from "fast-check";
import { expect, test } from "vitest";
import { xmlAttribute, xmlDecimal, xmlText } from "./xml.ts";

/** The characters of a text that XML can hold, by a loop over its code points. */
function allowed(text: string): string {
  return Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const isAllowed =
      code === 9 ||
      code === 10 ||
      code === 13 ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd);
    return isAllowed || code >= 0x10000 ? char : "\uFFFD";
  }).join("");
}

test("a reader gets every text back, in elements and attributes, except characters that XML cannot hold", () => {
  const parser = new DOMParser({ onError: (level, message) => void (level === "warning" || expect.fail(message)) });
  const units = fc.constantFrom(..."<>&'\"\r\n\t ]]>a\u0000\u001f\u007f\u0085\u2028\ud800\udc00\ufffe\uffff\u202e");
  const text = fc.oneof(fc.string({ unit: units }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, (given) => {
      const document = `<a b="${xmlAttribute(given)}">x${xmlText(given)}</a>`;
      const root = parser.parseFromString(document, "text/xml").documentElement;
      expect([root?.textContent, root?.getAttribute("b")]).toEqual([`x${allowed(given)}`, allowed(given)]);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [7.4, "7.4"],
  [-105.26977536385212, "-105.26977536385212"],
  [-1e-9, "-0.000000001"],
  [0, "0"],
])("%d is written %s", (value, written) => {
  expect(xmlDecimal(value)).toBe(written);
});
