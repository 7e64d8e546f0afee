export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of callbacks on a free port, which takes whatever comes unless it is told to refuse. */
export function createInbox() {
  const unread: Received[] = [];
  const waiting: ((received: Received) => void)[] = [];
  let refusals = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const received = { headers: Object.fromEntries(request.headers), body: await request.text() };
      const wait = waiting.shift();
      if (wait) wait(received);
      else unread.push(received);
      return new Response(null, { status: refusals-- > 0 ? 503 : 204 });
    },
  });
  return {
    url: server.url.href,
    /** Resolves with the oldest message that wasn't given out yet, once there is one. */
    next: async (): Promise<Received> =>
      unread.shift() ?? (await new Promise<Received>((resolve) => waiting.push(resolve))),
    /** Answers that many messages with 503. */
    refuse(times: number): void {
      refusals = times;
    },
    close: () => server.stop(true),
  };
}
