/** `fetch` that counts requests and the bytes of bodies. */
export function countedFetch(): {
  readonly fetch: typeof fetch;
  readonly counted: { requests: number; bytes: number };
} {
  const counted = { requests: 0, bytes: 0 };
  return {
    counted,
    fetch: async (...given) => {
      const response = await fetch(...given);
      const body = await response.arrayBuffer();
      counted.requests += 1;
      counted.bytes += body.byteLength;
      return new Response(body, response);
    },
  };
}
