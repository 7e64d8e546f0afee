import { connect, createServer, type Socket } from "node:net";

/**
 * Passes TCP connections on to a server, until its network is cut: then no byte goes through, connections neither end
 * nor begin, and all of them go on afterwards, as after a partition.
 */
export async function startCutProxy(target: { readonly host: string; readonly port: number }) {
  const sockets = new Set<Socket>();
  const forgotten = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (isCut) socket.pause();
  };
  const server = createServer({ allowHalfOpen: false }, (client) => {
    const upstream = connect(target);
    keep(client);
    keep(upstream);
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (bytes) => to.write(bytes));
      from.on("close", () => to.destroy());
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return {
    port: address.port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    /** Lets no byte of the present connections through any more, as a router does that has forgotten them. */
    forget() {
      for (const socket of sockets) {
        socket.pause();
        sockets.delete(socket);
        forgotten.add(socket);
      }
    },
    /** Ends all connections, whatever is under way in them. */
    breakOff() {
      for (const socket of sockets) socket.destroy();
    },
    stop() {
      server.close();
      for (const socket of [...sockets, ...forgotten]) socket.destroy();
    },
  };
}
