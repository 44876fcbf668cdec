import { afterAll } from "vitest";
import { type MirrorServer, type MirrorServerOptions, startMirror } from "./mirror-server.ts";

/** Returns a function that serves a folder. All servers end after the file's last test. */
export function mirrorServers(): (folder: string, options?: MirrorServerOptions) => Promise<MirrorServer> {
  const servers: MirrorServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  return async (folder, options) => {
    const server = await startMirror(folder, options);
    servers.push(server);
    return server;
  };
}
