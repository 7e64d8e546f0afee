import { groupBy } from "@/lib/gateway/lists/group-by";
import { until } from "../../../support/clients/until";
import { startS3Server } from "../../../support/servers/s3-server";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import { openHolds } from "../../books/read-ledger";
import { orderBatch, readBatchResults, retrieveBatch } from "../../clients/order-batches";
import { openTaskProject, orderTasks } from "../../clients/order-tasks";
import { openFailingReceiver } from "../../failing-receiver";
import { killWhile } from "../../kill-while";
import { type ManyStage, startManyGateways } from "../../many/start-many-gateways";
import type { Scenario, ScenarioOrder } from "../../scenario";
import { findBatchFaults, findInvoiceFaults } from "../batches/batches-killed";
import { findTasksFaults } from "../tasks/tasks-killed";

const TASKS_FOR_A_KILL = 50;
const LINES_FOR_A_KILL = 5_000;
/** What a killed gateway held is taken over after its lease, and a busy machine takes its time. */
const TIMEOUT_MS = 900_000;
const LET_GO_MS = 40;

export const manyTasks: Scenario = {
  name: "many-tasks",
  does: "{size} tasks ordered from three gateways, a receiver that fails at random, and kill -9 of one of them once for every 50: each ends, is told and is charged once",
  full: 1_000,
  smoke: 0,
  async run(order) {
    const { size, random } = order;
    await using bucket = await openBucket();
    const stage = await startManyGateways({
      outputs: bucket.outputs,
      env: { GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1" },
    });
    const [first] = stage.gateways;
    if (!first) throw new Error("No gateway has started");
    const { key, secret } = await openTaskProject(first);
    const receiver = await openFailingReceiver(random, secret);
    try {
      const kills = Math.max(1, Math.round(size / TASKS_FOR_A_KILL));
      let asked = 0;
      const gateway = {
        get baseUrl() {
          return stage.baseUrls[asked++ % stage.baseUrls.length] ?? first.baseUrl;
        },
      };
      const ordering = orderTasks(size, { gateway, key, url: receiver.url, random });
      const ordered = await killWhile(killAny(stage, random), { kills, withinMs: 1_000, random }, ordering);
      const countDelivered = () => new Set(receiver.taken.map(({ id }) => id)).size;
      await until("every end is delivered", () => countDelivered() >= ordered.length, TIMEOUT_MS);
      await stage.settle(order.isSmoke);
      const ledger = await stage.ledger();
      const charges = ledger.entries.filter(({ kind }) => kind === "charge").length;
      return {
        faults: [
          ...receiver.wrong,
          ...findTasksFaults(ordered, receiver.taken, ledger),
          ...findLedgerFaults(ledger),
          ...(await stage.diagnose()),
        ],
        figures: {
          tasks: ordered.length,
          kills,
          charges,
          "delivered again": receiver.taken.length - countDelivered(),
        },
      };
    } finally {
      await stage.stop();
      await receiver.close();
    }
  },
};

export const manyBatches: Scenario = {
  name: "many-batches",
  does: "a batch of {size} lines, and kill -9 of one of three gateways once for every 5,000: each line is answered and charged once",
  full: 50_000,
  smoke: 0,
  async run(order) {
    const { size, random } = order;
    await using bucket = await openBucket();
    const stage = await startManyGateways({ outputs: bucket.outputs });
    const letting = setInterval(() => void stage.letGo().catch(() => {}), LET_GO_MS);
    try {
      const kills = Math.max(1, Math.round(size / LINES_FOR_A_KILL));
      const ordered = await orderBatch(stage, { name: "many", lines: size, random });
      const isCompleted = async () => (await retrieveBatch(stage, ordered.id))?.status === "completed";
      const completion = until("the batch is completed", isCompleted, TIMEOUT_MS);
      const withinMs = order.isSmoke ? 500 : 10_000;
      await killWhile(killAny(stage, random), { kills, withinMs, random }, completion);
      await stage.settle(order.isSmoke);
      const ledger = await stage.ledger();
      const results = await readBatchResults(stage, ordered.id);
      const charges = ledger.entries.filter(({ kind }) => kind === "charge");
      const twice = [...groupBy(charges, ({ requestId }) => requestId)].filter(([, of]) => of.length > 1);
      const faults = await stage.diagnose();
      if (charges.length !== size) faults.push(`${charges.length} charges for ${size} lines`);
      return {
        faults: [
          ...findBatchFaults(ordered, results, ledger),
          ...findInvoiceFaults(stage.invoices()),
          ...findLedgerFaults(ledger),
          ...faults,
        ],
        figures: {
          lines: size,
          kills,
          charges: charges.length,
          "charged twice": twice.length,
          interrupted: results.errors.length,
          "open holds": openHolds(ledger),
        },
      };
    } finally {
      clearInterval(letting);
      await stage.stop();
    }
  },
};

/** A bucket for all gateways. */
async function openBucket() {
  const server = await startS3Server();
  return { outputs: server.outputs("many"), [Symbol.asyncDispose]: () => server.stop() };
}

/** Kills one or another of the gateways. */
const killAny = ({ gateways }: ManyStage, random: ScenarioOrder["random"]) => ({
  restart: async (signal?: NodeJS.Signals) =>
    gateways[random.between(0, gateways.length - 1)]?.restart(signal),
});
