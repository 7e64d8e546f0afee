import type { ServedGateway } from "../gateways/serve-gateway";

type Fields = Record<string, unknown>;

/** An event as it arrived. */
export type SocketEvent = Fields & { readonly type: string };

/** How a connection was closed. */
interface Closing {
  readonly code: number;
  readonly reason: string;
}

export type ResponseSocketClient = Awaited<ReturnType<typeof openResponseSocket>>;

/** Connects by the platform's WebSocket, and reads its events. Rejects where the handshake is refused. */
export async function openResponseSocket(
  { baseUrl, key }: Pick<ServedGateway, "baseUrl" | "key">,
  headers: Readonly<Record<string, string>> = {},
) {
  const url = `${baseUrl.replace(/^http/, "ws")}/responses`;
  const options = { headers: { authorization: `Bearer ${key}`, ...headers } };
  const socket = new WebSocket(url, options as unknown as string[]);
  const events: SocketEvent[] = [];
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    events.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<Closing>((resolve) =>
    socket.addEventListener("close", ({ code, reason }) => {
      resolve({ code, reason });
      wake();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("The handshake was refused")));
  });
  let read = 0;
  const next = async (): Promise<SocketEvent> => {
    for (;;) {
      const event = events[read];
      if (event) {
        read++;
        return event;
      }
      if (socket.readyState === WebSocket.CLOSED) throw new Error("The connection was closed");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const send = (event: Fields | string) =>
    socket.send(typeof event === "string" ? event : JSON.stringify(event));
  return {
    send,
    next,
    closed,
    close: () => socket.close(),
    /** Waits until an event of a type has come. */
    async until(type: string): Promise<SocketEvent> {
      for (;;) {
        const event = await next();
        if (event.type === type) return event;
      }
    },
    /** Creates a response. @returns its events, up to the one that ends it. */
    async create(body: Fields): Promise<SocketEvent[]> {
      send({ type: "response.create", ...body });
      const told: SocketEvent[] = [];
      for (;;) {
        const event = await next();
        told.push(event);
        const isRefused = event.type === "error" && event.status !== undefined;
        if (isRefused || /^response\.(completed|incomplete|failed)$/.test(event.type)) return told;
      }
    },
  };
}
