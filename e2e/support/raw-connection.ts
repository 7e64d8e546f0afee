import { connect } from "node:net";

export type RawConnection = Awaited<ReturnType<typeof openRawConnection>>;

/** A connection over which a test sends what no client would; from another address of this machine where one is named. */
export async function openRawConnection(baseUrl: string, localAddress?: string) {
  const { hostname, port } = new URL(baseUrl);
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, ...from });
  let received = "";
  const closed = Promise.withResolvers<string>();
  socket.setEncoding("utf8");
  socket.on("data", (text) => void (received += text));
  socket.on("end", () => socket.end());
  // A reset is an end, too.
  socket.on("error", () => {});
  socket.on("close", () => closed.resolve(received));
  await new Promise((resolve) => socket.once("connect", resolve));
  return {
    /** Resolves once the machine has taken it. */
    send: (text: string) => new Promise<void>((resolve) => void socket.write(text, () => resolve())),
    /** Says that nothing more will be sent, and goes on listening. */
    halfClose: () => void socket.end(),
    breakOff: () => void socket.resetAndDestroy(),
    /** All that came until the other end closed. */
    closed: closed.promise,
  };
}

/** The text of a request, with the length of its body unless another is given. */
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
