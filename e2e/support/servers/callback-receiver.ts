import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type CallbackReceiver = Awaited<ReturnType<typeof startCallbackReceiver>>;

/** Starts a receiver of callbacks on a free port. It answers with given statuses in turn, then with 204. */
export async function startCallbackReceiver() {
  const statuses: number[] = [];
  const server = createServer((_, reply) => reply.writeHead(statuses.shift() ?? 204).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/done`,
    answerWith: (...next: number[]) => void statuses.push(...next),
    async close(): Promise<void> {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
