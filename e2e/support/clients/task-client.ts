import { expect } from "bun:test";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { ServedGateway } from "../gateways/serve-gateway";
import { fetchWithKey } from "./send";
import { until } from "./until";

export type TaskClient = ReturnType<typeof createTaskClient>;

/** Creates and follows tasks at a gateway in this process. Advances the gateway's clock. */
export function createTaskClient(gateway: ServedGateway) {
  const ask = (
    path: string,
    body?: object,
    { key = gateway.key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) => fetchWithKey(`${gateway.baseUrl}${path}`, { method: body ? "POST" : "GET", key, body, headers });
  const hasEnded = ({ ended_at }: Task) => ended_at !== null;
  return {
    ask,
    async create(fields: object, headers?: Record<string, string>): Promise<Task> {
      const reply = await ask("/chat/completions", fields, headers && { headers });
      expect(reply.status).toBe(200);
      return (await reply.json()) as Task;
    },
    /** Advances the gateway's clock until the task meets the condition. */
    async follow(id: string, isSo: (task: Task) => boolean | Promise<boolean> = hasEnded): Promise<Task> {
      const retrieve = async () => (await (await ask(`/tasks/${id}`)).json()) as Task;
      let task = await retrieve();
      // Files are made on a thread, which the simulated clock does not move.
      await until(`${id} has come so far`, async () => {
        if (await isSo(task)) return true;
        gateway.runtime.pass(250);
        task = await retrieve();
        return false;
      });
      return task;
    },
    /** Advances the gateway's clock until there is an answer. */
    async whileTimePasses<Answer>(answer: Promise<Answer>): Promise<Answer> {
      const timer = setInterval(() => gateway.runtime.pass(50), 10);
      try {
        return await answer;
      } finally {
        clearInterval(timer);
      }
    },
    async balance() {
      const reply = await ask("/organization/balance", undefined, { key: gateway.adminKey });
      return (await reply.json()) as { posted: string; held: string; available: string };
    },
  };
}
