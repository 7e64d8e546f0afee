import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "@/e2e/support/clients/until";
import { startGateway } from "@/e2e/support/programs/start-gateway";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { groupBy } from "@/lib/gateway/lists/group-by";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import { type Ledger, openHolds, readLedger } from "../../books/read-ledger";
import { type OrderedTask, openTaskProject, orderTasks } from "../../clients/order-tasks";
import { type Delivery, openFailingReceiver } from "../../failing-receiver";
import { killWhile } from "../../kill-while";
import type { Scenario } from "../../scenario";

const TASKS_FOR_A_KILL = 50;
/** A failed callback is repeated after 5 to 6 seconds; the rest is for busy machines. */
const TIMEOUT_MS = 120_000;

export const tasksKilled: Scenario = {
  name: "tasks-killed",
  does: "{size} tasks, a receiver that fails at random and sometimes never answers, and kill -9 of the gateway once for every 50 of them",
  full: 1_000,
  smoke: 30,
  async run({ size, random }) {
    const gateway = await startGateway({
      GATEHOUSE_OPENING_BALANCE: "100000.00",
      GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1",
    });
    const { key, secret } = await openTaskProject(gateway);
    const receiver = await openFailingReceiver(random, secret);
    try {
      const kills = Math.max(2, Math.round(size / TASKS_FOR_A_KILL));
      const ordering = orderTasks(size, { gateway, key, url: receiver.url, random });
      const ordered = await killWhile(gateway, { kills, withinMs: 1_000, random }, ordering);
      const path = join(gateway.dataFolder, "gatehouse.sqlite");
      const countDelivered = () => new Set(receiver.taken.map(({ id }) => id)).size;
      await until("every end is delivered", () => countDelivered() >= ordered.length, TIMEOUT_MS);
      await until("every hold is resolved", () => openHolds(readLedger(path)) === 0, TIMEOUT_MS);
      const ledger = readLedger(path);
      const faults = [
        ...receiver.wrong,
        ...(receiver.hasHung ? [] : ["The receiver answered every message: nothing timed out"]),
        ...findTasksFaults(ordered, receiver.taken, ledger),
        ...ordered
          .filter(({ id, succeeds }) => existsSync(join(gateway.dataFolder, "outputs", id)) !== succeeds)
          .map(({ id, succeeds }) => `${id}: ${succeeds ? "its files are gone" : "files of it are left"}`),
        ...findLedgerFaults(ledger),
        ...examine(path, Date.now()).flatMap((finding) => finding.faults),
      ];
      const charges = ledger.entries.filter(({ kind }) => kind === "charge").length;
      const figures = {
        tasks: ordered.length,
        kills,
        charges,
        "delivered again": receiver.taken.length - countDelivered(),
      };
      return { faults, figures };
    } finally {
      await gateway.stop();
      await receiver.close();
    }
  },
};

/** Checks that each task ended as ordered, was charged once if it succeeded, and that its callback says the same. */
export function findTasksFaults(
  ordered: readonly OrderedTask[],
  taken: readonly Delivery[],
  { entries, holds }: Ledger,
): string[] {
  const faults: string[] = [];
  const chargesByRequest = groupBy(
    entries.filter(({ kind }) => kind === "charge"),
    ({ requestId }) => requestId,
  );
  const deliveriesById = groupBy(taken, ({ id }) => id);
  for (const { id, succeeds } of ordered) {
    const deliveries = deliveriesById.get(id) ?? [];
    const charges = chargesByRequest.get(deliveries[0]?.task.request_id ?? null) ?? [];
    const due = succeeds ? "task.succeeded" : "task.failed";
    if (deliveries.some(({ type, task }) => type !== due || task.id !== id))
      faults.push(`${id}: delivered as another`);
    if (charges.length !== (succeeds ? 1 : 0)) faults.push(`${id}: ${charges.length} charges`);
  }
  if (new Set(ordered.map(({ id }) => id)).size !== ordered.length)
    faults.push("One task was given out twice");
  if (holds.length !== ordered.length) faults.push(`${holds.length} holds for ${ordered.length} tasks`);
  return faults;
}
