/**
 * Chunks that only modules of other programs import: no page asks for them, so its service worker need not keep them.
 * @module
 */
import type { Plugin, Rollup } from "vite";

export interface EmbedChunks {
  /** For the page's build. */
  readonly plugin: Plugin;
  /** Whether nothing of the page imports the file, a path of the build. Known once the bundle is made. */
  has(file: string): boolean;
}

/** `isEmbedded` tells entries of other programs from the page's by their names. */
export function embedChunks(isEmbedded: (entry: string) => boolean): EmbedChunks {
  let own: ReadonlySet<string> = new Set();
  return {
    plugin: {
      name: "cairn:embed-chunks",
      // then workers, which are built apart, are among the files
      writeBundle(_, bundle) {
        const files = Object.values(bundle);
        const entries = files.flatMap((file) => (file.type === "chunk" && file.isEntry ? [file] : []));
        const embedded = reachedFrom(
          entries.filter(({ name }) => isEmbedded(name)),
          bundle,
        );
        const others = files.filter(({ fileName }) => !embedded.has(fileName));
        const page = reachedFrom([...others, ...entries.filter(({ name }) => !isEmbedded(name))], bundle);
        own = new Set([...embedded].filter((file) => !page.has(file)));
      },
    },
    has: (file) => own.has(file),
  };
}

/** The scripts, and all that they name. A worker's chunk with the content of another has its name too, so that imports alone do not tell. */
function reachedFrom(first: readonly Rollup.OutputBundle[string][], bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const names = Object.keys(bundle).filter((name) => name.endsWith(".js"));
  const reached = new Set(first.map(({ fileName }) => fileName).filter((name) => name.endsWith(".js")));
  // a set hands out what is added on the way
  for (const from of reached) {
    const file = bundle[from];
    const text = file?.type === "chunk" ? file.code : String(file?.source ?? "");
    for (const name of names) if (text.includes(name.slice(name.lastIndexOf("/") + 1))) reached.add(name);
  }
  return reached;
}
