/**
 * Workers of a script that came from another origin than the page.
 * @module
 */

/** An address to start the module worker from: browsers refuse one of another origin, but not a script that imports it. */
export function workerAddress(script: string): string {
  const url = new URL(script, location.href);
  if (url.origin === location.origin) return url.href;
  const loader = `import ${JSON.stringify(url.href)};`;
  return URL.createObjectURL(new Blob([loader], { type: "text/javascript" }));
}
