/**
 * Hosts for HTTP load tests: `cairn serve` as users start it, and Caddy over files.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { installDebianPackage } from "../../support/debian-package.ts";

const MEBIBYTE = 1024 * 1024;
const CADDY = "/usr/bin/caddy";
/** Prints Node's memory figures on a signal. The program itself is unchanged. */
const REPORT_MEMORY = "process.on('SIGUSR2',()=>console.log('memory '+JSON.stringify(process.memoryUsage())))";
const START_MS = 30_000;

export interface HttpHost {
  /** Ends in `/`. */
  readonly url: string;
  /** Resident memory of the process. */
  residentMiB(): number;
  /** Its parts in MiB by name, if the host reports them. */
  memory(): Promise<Readonly<Record<string, number>>>;
  /** Processor time since the start. */
  cpuSeconds(): number;
  close(): Promise<void>;
}

/** Starts `cairn serve` over the dataset on a free port. */
export async function startCairn(dataset: string, options: readonly string[] = []): Promise<HttpHost> {
  const program = ["--import", "tsx", "--import", `data:text/javascript,${REPORT_MEMORY}`, "pipeline/cli/main.ts"];
  const command = ["serve", dataset, "--port", "0", "--page", "no-page", ...options];
  const child = spawn(process.execPath, [...program, ...command], { stdio: ["ignore", "pipe", "inherit"] });
  endWith(child);
  const lines = createInterface({ input: child.stdout });
  const waiting: ((memory: NodeJS.MemoryUsage) => void)[] = [];
  const url = new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`cairn serve ended with ${code}`)));
    lines.on("line", (line) => {
      if (line.startsWith("REST")) resolve(new URL("/", line.split(/\s+/)[1]).href);
      if (line.startsWith("memory ")) waiting.shift()?.(JSON.parse(line.slice("memory ".length)));
    });
  });
  return {
    url: await url,
    async memory() {
      const answer = new Promise<NodeJS.MemoryUsage>((resolve) => waiting.push(resolve));
      child.kill("SIGUSR2");
      const { heapTotal, external } = await answer;
      return { heapMiB: heapTotal / MEBIBYTE, buffersMiB: external / MEBIBYTE };
    },
    residentMiB: () => residentMiBOf(child),
    cpuSeconds: () => cpuSecondsOf(child),
    close: () => end(child),
  };
}

/** Starts Caddy over a folder on a free port. Installs it if it is missing and installation is allowed. */
export async function startCaddy(folder: string, program = process.env.CADDY ?? CADDY): Promise<HttpHost> {
  if (!existsSync(program)) installDebianPackage("caddy");
  const url = `http://127.0.0.1:${await freePort()}/`;
  const config = join(folder, "Caddyfile");
  await writeFile(
    config,
    `{\n admin off\n auto_https off\n}\n${url.slice(0, -1)} {\n root * ${folder}\n file_server\n}\n`,
  );
  const child = spawn(program, ["run", "--config", config, "--adapter", "caddyfile"], { stdio: "ignore" });
  endWith(child);
  const endMs = Date.now() + START_MS;
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`caddy ended with ${child.exitCode}`);
    if (Date.now() > endMs) throw new Error(`caddy does not answer on ${url}`);
    await wait(50);
  }
  return {
    url,
    memory: async () => ({}),
    residentMiB: () => residentMiBOf(child),
    cpuSeconds: () => cpuSecondsOf(child),
    close: () => end(child),
  };
}

function residentMiBOf({ pid }: ChildProcess): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Linux counts in hundredths of a second. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Ends the process with this one. */
function endWith(child: ChildProcess): void {
  process.once("exit", () => child.kill());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
