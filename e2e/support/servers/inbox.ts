export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of callbacks on a free port, which accepts everything by default. */
export function createInbox() {
  const unread: Received[] = [];
  const waiting: ((received: Received) => void)[] = [];
  const replies: (Response | Promise<Response>)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const received = { headers: Object.fromEntries(request.headers), body: await request.text() };
      const wait = waiting.shift();
      if (wait) wait(received);
      else unread.push(received);
      return replies.shift() ?? new Response(null, { status: 204 });
    },
  });
  return {
    url: server.url.href,
    /** Resolves with the oldest unread message, once there is one. */
    next: async (): Promise<Received> =>
      unread.shift() ?? (await new Promise<Received>((resolve) => waiting.push(resolve))),
    /** Sets the reply to one message. */
    reply: (reply: Response | Promise<Response>) => void replies.push(reply),
    /** Replies to one message with 503. */
    refuse: () => void replies.push(new Response(null, { status: 503 })),
    /** Never replies to one message. */
    hang: () => void replies.push(new Promise<Response>(() => {})),
    close: () => server.stop(true),
  };
}
