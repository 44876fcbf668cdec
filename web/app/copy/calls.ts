/** Returns a curl command for the URL. */
export function curlCommand(url: string): string {
  // The one character that ends a text in these quotes.
  return `curl '${url.replaceAll("'", "%27")}'\n`;
}

/** Returns JavaScript that fetches the URL. */
export function fetchCall(url: string): string {
  return `const response = await fetch(${JSON.stringify(url)});
if (!response.ok) throw new Error(\`answered \${response.status}\`);
const records = await response.json();
`;
}
