import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly task: Task;
}

type Answer = (reply: ServerResponse) => void;

/** The ways in which a receiver fails a message that it sees for the first time. */
const faults: readonly [Answer, ...Answer[]] = [
  (reply) => reply.writeHead(500).end("no"),
  (reply) => reply.writeHead(429, { "retry-after": "1" }).end(),
  (reply) => reply.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  (reply) => void reply.socket?.destroy(),
];

/** How many messages it leaves without an answer: each takes as long as the gateway waits for one. */
const HANGING = 3;

/**
 * A receiver of callbacks that fails half of the messages the first time it sees them, and half of the others after it
 * has accepted them, as if its reply got lost. The first ones that fail get no answer at all. It accepts only messages
 * with a valid signature.
 */
export async function openFailingReceiver(random: SeededRandom, secret: string) {
  const seen = new Set<string>();
  const taken: Delivery[] = [];
  const wrong: string[] = [];
  let left = HANGING;
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const id = String(request.headers["webhook-id"]);
    const isFirst = !seen.has(id);
    seen.add(id);
    if (isFirst && random.chance(0.5)) return left-- > 0 ? undefined : random.pick(faults)(reply);
    try {
      const headers = request.headers as Record<string, string>;
      const { type, data } = new Webhook(secret).verify(body, headers) as { type: string; data: Task };
      taken.push({ id, type, task: data });
    } catch (error) {
      wrong.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (isFirst && random.chance(0.5)) return void reply.socket?.destroy();
    reply.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`,
    taken: taken as readonly Delivery[],
    /** Whether some messages were left without an answer. */
    get hasHung() {
      return left < HANGING;
    },
    /** Messages with a wrong signature. */
    wrong: wrong as readonly string[],
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
