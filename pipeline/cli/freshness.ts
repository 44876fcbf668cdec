import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const STAMPS = ".cairn/stamps";

/** Builds the dataset unless sources and program are those of the last build. */
export async function ensureDataset(sources: string, out: string): Promise<void> {
  await whenChanged(
    "dataset",
    [sources, "data/format", "pipeline", "package-lock.json"],
    join(out, "manifest.json"),
    async () => {
      const { buildDataset } = await import("../build/index.ts");
      const { reportProgress } = await import("./progress.ts");
      const onWait = (message: string): void => console.error(`cairn: ${message}`);
      await buildDataset({ sources: [sources], out, keep: true, onProgress: reportProgress(), onWait });
    },
  );
}

export async function ensurePage(out: string): Promise<void> {
  const inputs = ["web", "data/format", "data/sample/world", "vite.config.ts", "package-lock.json"];
  await whenChanged("page", inputs, join(out, "index.html"), async () => {
    const { buildPage } = await import("../../web/build/publish.ts");
    await buildPage(out);
  });
}

async function whenChanged(
  name: string,
  inputs: readonly string[],
  product: string,
  make: () => Promise<void>,
): Promise<void> {
  const stamp = join(STAMPS, name);
  const hash = await hashTrees(inputs);
  const isThere = await access(product).then(
    () => true,
    () => false,
  );
  if (isThere && (await readFile(stamp, "utf8").catch(() => "")) === hash) return;
  console.error(`cairn: building the ${name}`);
  await make();
  await mkdir(STAMPS, { recursive: true });
  await writeFile(`${stamp}.tmp`, hash);
  await rename(`${stamp}.tmp`, stamp);
}

async function hashTrees(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of await filesBelow(path)) {
      hash.update(`${file}\0`);
      hash.update(
        createHash("sha256")
          .update(await readFile(file))
          .digest(),
      );
    }
  }
  return hash.digest("hex");
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOTDIR") return undefined;
      throw error;
    },
  );
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
