import { connect } from "node:net";

/** A connection for sending what no HTTP client would; from another local address if one is given. */
export async function openRawConnection(baseUrl: string, localAddress?: string) {
  const { hostname, port } = new URL(baseUrl);
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, ...from });
  let received = "";
  const closed = Promise.withResolvers<string>();
  socket.setEncoding("utf8");
  socket.on("data", (text) => void (received += text));
  socket.on("end", () => socket.end());
  // A reset also ends the connection.
  socket.on("error", () => {});
  socket.on("close", () => closed.resolve(received));
  await new Promise((resolve) => socket.once("connect", resolve));
  return {
    /** Resolves once the system has accepted the data. */
    send: (text: string) => new Promise<void>((resolve) => void socket.write(text, () => resolve())),
    /** Half-closes the connection and keeps reading. */
    halfClose: () => void socket.end(),
    breakOff: () => void socket.resetAndDestroy(),
    /** Everything received until the peer closed. */
    closed: closed.promise,
  };
}

/** The text of a request, with its body's length unless another one is given. */
export function requestText(
  path: string,
  { key, body, length }: { key?: string; body: string; length?: number },
): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "host: gateway.test",
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    `content-length: ${length ?? Buffer.byteLength(body)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
