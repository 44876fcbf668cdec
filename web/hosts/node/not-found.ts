/** Returns a 404 answer in HTML: it shows the requested path, with a link to the map if the host has a page. */
export function notFoundPage(path: string, hasPage: boolean): Response {
  const base = "../".repeat(path.split("/").length - 2) || "./";
  const map = hasPage ? `\n        <li><a href="${base}">Search the map</a></li>` : "";
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found</title>
  </head>
  <body>
    <main>
      <h1>There is nothing at this address</h1>
      <p>Requested path: <code>${escaped(path)}</code>.</p>
      <ul>${map}
        <li><a href="${base}openapi.json">Every path of the REST interface</a></li>
      </ul>
    </main>
  </body>
</html>
`;
  return new Response(body, {
    status: 404,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Vary: "Accept",
    },
  });
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
