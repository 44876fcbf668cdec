/**
 * nginx, Apache and Caddy with the documented recipes, on a free port and with a test site.
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installDebianPackage } from "../support/debian-package.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";

export const HOST_NAMES = ["nginx", "apache", "caddy"] as const;
export type HostName = (typeof HOST_NAMES)[number];

interface Recipe {
  readonly program: string;
  readonly debianPackage: string;
  readonly config: string;
  /** Path of the site on the host. */
  readonly path: string;
  /** The complete configuration around the recipe; `folder` is for files that the program writes. */
  wrap(recipe: string, folder: string): string;
  command(config: string, folder: string): readonly string[];
}

const IS_ROOT = process.getuid?.() === 0;

const RECIPES: Readonly<Record<HostName, Recipe>> = {
  nginx: {
    program: "/usr/sbin/nginx",
    debianPackage: "nginx-light",
    config: "docs/hosting/nginx.conf",
    path: "maps/",
    wrap: (recipe, folder) => `
      ${IS_ROOT ? "user root;" : ""}
      worker_processes 1;
      daemon off;
      pid ${folder}/pid;
      error_log ${folder}/error.log;
      events { worker_connections 512; }
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
        ${recipe}
      }`,
    command: (config, folder) => ["-p", folder, "-e", `${folder}/error.log`, "-c", config],
  },
  apache: {
    program: "/usr/sbin/apache2",
    debianPackage: "apache2",
    config: "docs/hosting/apache.conf",
    path: "",
    wrap: (recipe, folder) => `
      ServerRoot ${folder}
      ServerName localhost
      PidFile ${folder}/pid
      ErrorLog ${folder}/error.log
      ${IS_ROOT ? "User www-data\n      Group www-data" : ""}
      ${["mpm_event", "authz_core", "mime", "dir", "headers", "deflate", "filter"].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
      TypesConfig /etc/mime.types
      Listen ${recipe.match(/VirtualHost (\S+)>/)?.[1] ?? ""}
      ${recipe}`,
    command: (config) => ["-f", config, "-DFOREGROUND"],
  },
  caddy: {
    program: "/usr/bin/caddy",
    debianPackage: "caddy",
    config: "docs/hosting/Caddyfile",
    path: "",
    wrap: (recipe, folder) => `{
      admin off
      auto_https off
      storage file_system ${folder}/storage
      log {
        output file ${folder}/error.log
      }
    }
    ${recipe}`,
    command: (config) => ["run", "--adapter", "caddyfile", "--config", config],
  },
};

export interface RunningHost {
  /** Ends in `/`. */
  readonly url: string;
  /** Relative path of the site, such as `maps/`. */
  readonly path: string;
  close(): Promise<void>;
}

/** Makes the site in a new folder and returns the folder. */
export type MakeSite = (folder: string) => Promise<string>;

/** Page and dataset in one folder, as `npm run build -- --dataset` makes it, but with links. */
const makeSite: MakeSite = async (folder) => {
  await mkdir(folder);
  for (const name of await readdir(PAGE_FOLDER)) {
    if (name !== "dataset") await symlink(resolve(PAGE_FOLDER, name), join(folder, name));
  }
  await symlink(resolve(DATASET_FOLDER), join(folder, "dataset"));
  return folder;
};

/**
 * Starts the host with the site; by default the built page and the sample dataset. Installs the host if it is missing
 * and installation is allowed.
 */
export function startRecipe(name: HostName, site: MakeSite = makeSite): Promise<RunningHost> {
  return start(RECIPES[name], async (recipe, folder) =>
    recipe.replaceAll("/srv/cairn", await site(join(folder, "site"))),
  );
}

/** True if the program is installed. */
export function isInstalled(name: HostName): boolean {
  return existsSync(RECIPES[name].program);
}

/** Starts nginx with the proxy recipe, before the Node host at `url`. */
export function startProxy(url: string): Promise<RunningHost> {
  const recipe = { ...RECIPES.nginx, config: "docs/hosting/nginx-proxy.conf" };
  return start(recipe, (text) => text.replace("http://127.0.0.1:8300/", url));
}

async function start(
  { program, debianPackage, config, path, wrap, command }: Recipe,
  fill: (recipe: string, folder: string) => string | Promise<string>,
): Promise<RunningHost> {
  if (!existsSync(program)) installDebianPackage(debianPackage);
  const folder = await mkdtemp(join(tmpdir(), "cairn-recipe-"));
  const port = await freePort();
  const recipe = (await fill(await readFile(config, "utf8"), folder))
    .replace(/listen 80;/, `listen 127.0.0.1:${port};`)
    .replace(/\*:80>/, `127.0.0.1:${port}>`)
    .replace(/^:80 /m, `http://127.0.0.1:${port} `);
  const file = join(folder, "host.conf");
  await writeFile(file, wrap(recipe, folder));
  // Apache's workers run as another user.
  execFileSync("chmod", ["-R", "a+rX", folder]);
  const child = spawn(program, command(file, folder), { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}/`;
  try {
    await answers(`${url}${path}manifest-of-nobody`, ended);
  } catch (error) {
    const log = await readFile(join(folder, "error.log"), "utf8").catch(() => "");
    throw new Error(`${program} did not start: ${log}`, { cause: error });
  }
  return {
    url,
    path,
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Resolves at the first answer. Rejects if the program ends first. */
async function answers(url: string, ended: Promise<void>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return;
    if (isOver) throw new Error("it ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
