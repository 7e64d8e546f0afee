import { Database } from "bun:sqlite";
import { until } from "@/e2e/support/clients/until";
import { residentMegabytes } from "@/e2e/support/programs/process-memory";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { raceCalls } from "../../clients/race-calls";
import { findRefusalFaults, RECOVERED_WITHIN_MS } from "../../outage";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const WAVES = 3;
const MAX_GROWTH_MB = 200;

export const writerBlocked: Scenario = {
  name: "writer-blocked",
  does: "{size} calls at once, thrice, while the writer can't write: 503 with retry-after, and no queue that grows",
  full: 1_000,
  smoke: 100,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    const other = new Database(stage.databasePath);
    try {
      const memoryBefore = residentMegabytes(stage.gateway.pid());
      other.run("PRAGMA busy_timeout = 5000");
      other.run("BEGIN EXCLUSIVE");
      const waves = Array.from({ length: WAVES }, async (_, wave) => {
        const asked = Array.from({ length: size }, (__, index) => ({
          keyId,
          model: PLAIN_MODEL.id,
          isStream: random.chance(0.5),
          script: { nonce: `n${wave}-${index}`, promptTokens: 1, completionTokens: 1 },
        }));
        return Promise.all(await raceCalls(asked, { baseUrls: stage.baseUrls, key }));
      });
      const calls = (await Promise.all(waves)).flat();
      const growth = residentMegabytes(stage.gateway.pid()) - memoryBefore;
      const isReady = async () => (await fetch(`${stage.gateway.url}/readyz`)).status === 200;
      const wasReady = await isReady();
      other.run("ROLLBACK");
      // No calls are made meanwhile: the gateway has to recover by itself.
      await until("/readyz says that all is well", isReady, RECOVERED_WITHIN_MS);
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
      const invoices = stage.invoices();
      const { faults, figures } = reconcile({
        calls,
        invoices,
        ledger: stage.ledger(),
        models: stage.models,
      });
      if (wasReady) faults.push("/readyz says that all is well while nothing can be written");
      // Calls beyond the gateway's maximum in flight are refused at once.
      const isFull = ({ status, text }: { status: number | null; text: string }) =>
        status === 429 && text.includes('"concurrency"');
      const full = calls.filter(isFull).length;
      faults.push(...calls.filter((call) => !isFull(call)).flatMap(findRefusalFaults));
      if (invoices.size > 0) faults.push(`${invoices.size} calls were sent to the provider`);
      if (growth > MAX_GROWTH_MB) faults.push(`The gateway grew by ${growth} MB`);
      const slowest = Math.round(Math.max(...calls.map(({ elapsedMs }) => elapsedMs)));
      return {
        faults,
        figures: { ...figures, "refused as full": full, "slowest ms": slowest, "grown MB": growth },
      };
    } finally {
      other.close();
      await stage.stop();
    }
  },
};
