/** Returns a line for a shell that requests the URL with curl. */
export function curlCommand(url: string): string {
  // The one character that ends a text in these quotes.
  return `curl '${url.replaceAll("'", "%27")}'\n`;
}

/** Returns JavaScript that requests the URL and reads the records. */
export function fetchCall(url: string): string {
  return `const response = await fetch(${JSON.stringify(url)});
if (!response.ok) throw new Error(\`answered \${response.status}\`);
const records = await response.json();
`;
}
