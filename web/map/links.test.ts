import { expect, test } from "vitest";
import { mailLink, phoneLink, webLink } from "./links.ts";

test.each([
  ["https://www.example.com/", { text: "example.com", href: "https://www.example.com/" }],
  ["example.com/a?b=c", { text: "example.com/a?b=c", href: "https://example.com/a?b=c" }],
  ["HTTP://EXAMPLE.COM/x", { text: "EXAMPLE.COM/x", href: "http://example.com/x" }],
])("%s is a web address", (text, link) => {
  expect(webLink(text)).toEqual(link);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)//example.com",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://example.com/1",
  "not a link",
  "",
])("%j is not one", (text) => {
  expect(webLink(text)).toBeUndefined();
});

test("mail and telephone links contain only the address and the number", () => {
  expect(mailLink("a+b@example.com")?.href).toBe("mailto:a%2Bb@example.com");
  expect(mailLink("a@example.com?bcc=x@example.com")).toBeUndefined();
  expect(phoneLink("(303) 604-5080")?.href).toBe("tel:3036045080");
  expect(phoneLink("+49 30;ext=1")?.href).toBe("tel:+49301");
  expect(phoneLink("--")).toBeUndefined();
});
