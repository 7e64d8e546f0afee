import { createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import type { SentRequest } from "../server-reply";

/** Handles a complete request, given the number of its connection. */
export type Script = (socket: Socket, request: string, connection: number) => void;

export const OK = "HTTP/1.1 200 OK\r\n";
export const HI = `${OK}content-length: 2\r\n\r\nhi`;

/** A socket server that follows a test's script and records the requests. */
export class SocketServer {
  #server: Server | null = null;
  port = 0;
  readonly sockets: Socket[] = [];
  readonly requests: string[] = [];

  /** @param tls key and certificate; absent for none. */
  async open(script: Script, tls?: object): Promise<number> {
    const accept = (socket: Socket) => this.#accept(socket, script);
    const server = tls ? createSecureServer(tls, accept) : createServer(accept);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    this.port = typeof address === "object" && address ? address.port : 0;
    return this.port;
  }

  /** Called for each connection, before TLS and outside the script. */
  onConnection(listener: (socket: Socket) => void): void {
    this.#server?.on("connection", listener);
  }

  close(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
    this.requests.length = 0;
    this.#server?.close();
  }

  #accept(socket: Socket, script: Script): void {
    const connection = this.sockets.push(socket);
    let receivedText = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      receivedText += bytes.toString("latin1");
      const [head = ""] = receivedText.split("\r\n\r\n", 1);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (!(receivedText.length >= head.length + 4 + length)) return;
      const request = receivedText;
      receivedText = "";
      this.requests.push(request);
      script(socket, request, connection);
    });
  }
}

export const always =
  (reply: string): Script =>
  (socket) =>
    void socket.write(reply);

/** Resolves when the server's connection is closed. */
export const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once("close", () => resolve())));

export async function readReplyText(request: SentRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  const reply = await request.reply;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
