/** Returns a counter of bytes that the server has in memory, in total and for each client address. */
export function createHeldBytes() {
  const byPeer = new Map<string, number>();
  let total = 0;
  return {
    /** Adds bytes of the client address; a negative number releases them. */
    hold(peer: string, bytes: number): void {
      total += bytes;
      const own = (byPeer.get(peer) ?? 0) + bytes;
      if (own > 0) byPeer.set(peer, own);
      else byPeer.delete(peer);
    },
    total: () => total,
    of: (peer: string) => byPeer.get(peer) ?? 0,
  };
}
