import { afterAll } from "vitest";
import { type MirrorServer, type MirrorServerOptions, startMirror } from "./mirror-server.ts";

/** Serves folders; all servers end after the last test of the file. */
export function mirrorServers(): (folder: string, options?: MirrorServerOptions) => Promise<MirrorServer> {
  const servers: MirrorServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  return async (folder, options) => {
    const server = await startMirror(folder, options);
    servers.push(server);
    return server;
  };
}
