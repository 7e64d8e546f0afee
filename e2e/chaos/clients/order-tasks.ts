import { setTimeout } from "node:timers/promises";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { adminApi } from "../../support/clients/admin-api";
import type { Gateway } from "../../support/programs/start-gateway";
import type { ScenarioOrder } from "../scenario";

const CLIENTS = 8;
const LOOK_AGAIN_MS = 50;
const sandboxModels = ["sandbox-image", "sandbox-video", "sandbox-music"] as const;
const outcomes = ["succeeded", "succeeded", "failed", "refused"] as const;

/** A gateway that is asked: one of several may be another one each time. */
type Asked = Pick<Gateway, "baseUrl">;

export interface OrderedTask {
  readonly id: string;
  readonly succeeds: boolean;
}

/** A project with a key, unlimited requests to these models, and the secret that signs its callbacks. */
export async function openTaskProject(
  gateway: Pick<Gateway, "baseUrl" | "adminKey">,
  models: readonly string[] = sandboxModels,
) {
  const admin = adminApi(gateway);
  const { id } = await admin.createProject("Tasks");
  const wide = {
    max_requests_per_1_minute: 1e9,
    max_images_per_1_minute: null,
    max_requests_per_1_day: null,
  };
  for (const model of models) await admin.saveRateLimit(id, model, wide);
  const toPath = (what: string) => `/projects/${id}/${what}`;
  const { value: key } = await admin.call<{ value: string }>("POST", toPath("api_keys"), { name: "Load" });
  const { secret } = await admin.call<{ secret: string }>("GET", toPath("callback_secret"));
  return { key, secret };
}

/** Creates `count` tasks, each under its own idempotency key, and retries until the gateway answers. */
export async function orderTasks(
  count: number,
  {
    gateway,
    key,
    url,
    random,
  }: { gateway: Asked; key: string; url: string; random: ScenarioOrder["random"] },
): Promise<OrderedTask[]> {
  const orders = Array.from({ length: count }, (_, index) => {
    const outcome = random.pick(outcomes);
    const sandbox = { takes_ms: random.between(0, 2_000), outcome };
    const size = { size: "16x16", seconds: 1 };
    return {
      index,
      outcome,
      body: { model: random.pick(sandboxModels), prompt: `task ${index}`, ...size, sandbox },
    };
  });
  const ordered: OrderedTask[] = [];
  const client = async () => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const { index, outcome, body } = order;
      const id = await createTask(gateway, key, { ...body, callback_url: url }, `task-${index}`);
      ordered.push({ id, succeeds: outcome === "succeeded" });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return ordered;
}

/** Creates a task under an idempotency key, and retries until the gateway answers. */
export async function createTask(gateway: Asked, key: string, body: object, once: string): Promise<string> {
  for (;;) {
    const reply = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": once,
      },
      body: JSON.stringify(body),
    }).catch(() => null);
    const text = await reply?.text().catch(() => null);
    if (reply?.status === 200 && text) return (JSON.parse(text) as Task).id;
    if (reply && reply.status >= 400 && reply.status < 500) throw new Error(`${reply.status}: ${text}`);
    await setTimeout(LOOK_AGAIN_MS);
  }
}
