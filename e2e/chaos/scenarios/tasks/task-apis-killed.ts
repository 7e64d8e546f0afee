import { join } from "node:path";
import { fetchWithKey } from "@/e2e/support/clients/send";
import { until } from "@/e2e/support/clients/until";
import { type Gateway, startGateway } from "@/e2e/support/programs/start-gateway";
import { writeConfiguration } from "@/e2e/support/programs/write-configuration";
import {
  startTaskApiServer,
  type TaskApiServer,
  taskApiMapping,
} from "@/e2e/support/servers/task-api-server";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { groupBy } from "@/lib/gateway/lists/group-by";
import { type Ledger, openHolds, readLedger } from "../../books/read-ledger";
import { createTask, openTaskProject } from "../../clients/order-tasks";
import { killWhile } from "../../kill-while";
import type { Scenario, ScenarioOrder } from "../../scenario";

const TASKS_FOR_A_KILL = 50;
const LOST_ANSWERS = 0.2;
const TIMEOUT_MS = 120_000;
const models = ["keyed", "keyless"] as const;
const prompts = ["a lighthouse", "a lighthouse", "fails", "refused"] as const;

/** A task with what it orders. */
interface Ordered {
  readonly id: string;
  readonly model: (typeof models)[number];
  readonly prompt: (typeof prompts)[number];
}

export const taskApisKilled: Scenario = {
  name: "task-apis-killed",
  does: "{size} tasks of two mapped APIs that lose every fifth answer, one of them without idempotency keys, and kill -9 of the gateway once for every 50 of them",
  full: 500,
  smoke: 30,
  async run({ size, random }) {
    const loses = () => random.chance(LOST_ANSWERS);
    const servers = [
      await startTaskApiServer({ loses }),
      await startTaskApiServer({ loses, isIdempotent: false }),
    ] as const;
    const gateway = await startGateway({
      GATEHOUSE_OPENING_BALANCE: "100000.00",
      GATEHOUSE_CONFIG: writeConfiguration(writeProviders(servers)),
    });
    try {
      const { key } = await openTaskProject(gateway, models);
      const kills = Math.max(2, Math.round(size / TASKS_FOR_A_KILL));
      const ordering = orderFromApis(size, { gateway, key, random });
      const ordered = await killWhile(gateway, { kills, withinMs: 1_000, random }, ordering);
      let tasks: ReadonlyMap<string, Task> = new Map();
      const areSettled = async () => {
        tasks = await readTasks(gateway, key);
        return ordered.every(({ id }) => isSettled(tasks.get(id)));
      };
      await until("every task has ended, or is known to be unknown", areSettled, TIMEOUT_MS);
      const path = join(gateway.dataFolder, "gatehouse.sqlite");
      const ledger = readLedger(path);
      const unknown = [...tasks.values()].filter(({ ended_at }) => ended_at === null).length;
      const faults = [
        ...ordered.flatMap((one) => findTaskFaults(one, tasks.get(one.id), servers, ledger)),
        ...(openHolds(ledger) === unknown
          ? []
          : [`${openHolds(ledger)} open holds for ${unknown} unknown tasks`]),
        ...examine(path, Date.now()).flatMap((finding) => finding.faults),
      ];
      const made = servers[0].made.length + servers[1].made.length;
      return { faults, figures: { tasks: ordered.length, kills, made, unknown } };
    } finally {
      await gateway.stop();
      for (const server of servers) await server.stop();
    }
  },
};

function writeProviders([keyed, keyless]: readonly [TaskApiServer, TaskApiServer]): string {
  const providers = [
    {
      id: "keyed",
      kind: "http",
      base_url: keyed.url,
      api_key: keyed.key,
      task_api: JSON.parse(taskApiMapping()),
    },
    {
      id: "keyless",
      kind: "http",
      base_url: keyless.url,
      api_key: keyless.key,
      task_api: JSON.parse(taskApiMapping({})),
    },
  ];
  const price = { family: "image", rate: "1", unit_price: { unit: "image", amount: "0.04" } };
  const routed = models.map((id) => ({ id, ...price, routes: [{ provider: id, model: "paint" }] }));
  return JSON.stringify({ providers, models: routed });
}

async function orderFromApis(
  count: number,
  { gateway, key, random }: { gateway: Gateway; key: string; random: ScenarioOrder["random"] },
): Promise<Ordered[]> {
  const ordered: Ordered[] = [];
  for (let seed = 0; seed < count; seed++) {
    const [model, prompt] = [random.pick(models), random.pick(prompts)];
    const id = await createTask(gateway, key, { model, prompt, seed }, `task-${seed}`);
    ordered.push({ id, model, prompt });
  }
  return ordered;
}

async function readTasks({ baseUrl }: Gateway, key: string): Promise<Map<string, Task>> {
  const reply = await fetchWithKey(`${baseUrl}/tasks?limit=1000`, { key });
  const { data } = (await reply.json()) as { data: Task[] };
  return new Map(data.map((task) => [task.id, task]));
}

function isSettled(task: Task | undefined): boolean {
  return task !== undefined && (task.ended_at !== null || task.provider_state === "unknown");
}

/**
 * Checks that a task was made once, and charged as it ended; one of unknown state may have been made, and is not
 * charged.
 */
function findTaskFaults(
  { id, model, prompt }: Ordered,
  task: Task | undefined,
  [keyed, keyless]: readonly [TaskApiServer, TaskApiServer],
  { entries }: Ledger,
): string[] {
  const server = model === "keyed" ? keyed : keyless;
  const made = groupBy(server.made, (order) => order.task).get(id)?.length ?? 0;
  const charges = entries.filter(
    ({ kind, requestId }) => kind === "charge" && requestId === task?.request_id,
  );
  const isOpen = task?.ended_at === null;
  const due = prompt === "a lighthouse" ? "succeeded" : "failed";
  const faults: string[] = [];
  if (isOpen && model === "keyed") faults.push(`${id}: open, although its order can be repeated`);
  if (!isOpen && task?.status !== due) faults.push(`${id}: ${task?.status} instead of ${due}`);
  if (made > 1 || (!isOpen && made !== (prompt === "refused" ? 0 : 1)))
    faults.push(`${id}: made ${made} times`);
  if (charges.length !== (task?.status === "succeeded" ? 1 : 0))
    faults.push(`${id}: ${charges.length} charges`);
  return faults;
}
