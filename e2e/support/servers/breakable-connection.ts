import { once } from "node:events";
import { type AddressInfo, createServer, connect as open, type Socket } from "node:net";

/** A way to a server that can be cut, as when a browser loses its network. */
interface BreakableConnection {
  readonly url: string;
  /** Breaks all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Forwards a free port of this machine to the server at `url`. */
export async function startBreakableConnection(url: string): Promise<BreakableConnection> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = open(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, hostname);
  await once(server, "listening");
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      isCut = false;
    },
    async stop() {
      cut();
      await once(server.close(), "close");
    },
  };
}
