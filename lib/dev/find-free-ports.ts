import { once } from "node:events";
import { createServer, type Server } from "node:net";

const LOWEST = 20_000;
const COUNT = 12_000;

/**
 * Returns different ports of this machine without a listener, below the range of outgoing connections (32768 and above
 * on Linux), so that they stay free between two programs that use them in turn.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = await Promise.all(Array.from({ length: count }, listenAnywhere));
  await Promise.all(found.map(({ server }) => once(server.close(), "close")));
  return found.map(({ port }) => port);
}

async function listenAnywhere(): Promise<{ port: number; server: Server }> {
  const port = LOWEST + Math.floor(Math.random() * COUNT);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  return isFree ? { port, server } : listenAnywhere();
}
