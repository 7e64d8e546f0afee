import { setTimeout } from "node:timers/promises";
import { until } from "@/e2e/support/clients/until";
import { parseAmount } from "@/lib/money/amount";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import { type Ledger, openHolds } from "../../books/read-ledger";
import {
  type BatchResults,
  type OrderedBatch,
  orderBatch,
  readBatchResults,
  retrieveBatch,
} from "../../clients/order-batches";
import type { Scenario, ScenarioOrder } from "../../scenario";
import { type Stage, startFaultStage } from "../../start-stage";

const LINES = 120;
/** A busy machine may take this long. */
const TIMEOUT_MS = 240_000;
const LET_GO_MS = 40;

const ways = ["revoked", "rotated", "archived"] as const;

interface Interrupted extends OrderedBatch {
  readonly way: (typeof ways)[number];
}

export const batchAccessEnds: Scenario = {
  name: "batch-access-ends",
  does: "{size} batches of 120 lines, whose key is revoked or rotated or whose project is archived while lines are answered: each charge has its answer, and a successor goes on",
  full: 30,
  smoke: 3,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const letting = setInterval(() => void stage.letGo().catch(() => {}), LET_GO_MS);
    try {
      const batches: Interrupted[] = [];
      for (let index = 0; index < size; index++) {
        batches.push(
          await interruptBatch(stage, { way: ways[index % ways.length] ?? "revoked", index, random }),
        );
      }
      const reader = { baseUrl: stage.baseUrl, keys: [{ id: "", value: stage.gateway.adminKey }] };
      for (const { id } of batches) {
        const hasEnded = async () => (await retrieveBatch(reader, id))?.status === "completed";
        await until(`${id} is completed`, hasEnded, TIMEOUT_MS);
      }
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0, TIMEOUT_MS);
      const ledger = stage.ledger();
      const results = await Promise.all(batches.map(({ id }) => readBatchResults(reader, id)));
      const faults = [
        ...batches.flatMap((batch, index) => findFaults(batch, results[index] as BatchResults, ledger)),
        ...findLedgerFaults(ledger),
      ];
      const answered = results.reduce((sum, { output }) => sum + output.length, 0);
      const charges = ledger.entries.filter(({ kind }) => kind === "charge").length;
      if (charges !== answered) faults.push(`${charges} charges for ${answered} answers`);
      return { faults, figures: { batches: size, lines: size * LINES, charges, answered } };
    } finally {
      clearInterval(letting);
      await stage.stop();
    }
  },
};

async function interruptBatch(
  { admin, baseUrl, waiting }: Stage,
  { way, index, random }: Pick<Interrupted, "way"> & { index: number; random: ScenarioOrder["random"] },
): Promise<Interrupted> {
  const { id: projectId } = await admin.createProject(`Batch ${index}`);
  const keys = `/projects/${projectId}/api_keys`;
  const key = await admin.call<{ id: string; value: string }>("POST", keys, { name: "Nightly" });
  const batch = await orderBatch({ baseUrl, keys: [key] }, { name: `b${index}`, lines: LINES, random });
  await until("its lines are under way", async () => (await waiting()).length > 0, TIMEOUT_MS);
  await setTimeout(random.between(0, 150));
  if (way === "revoked") await admin.call("DELETE", `${keys}/${key.id}`);
  else if (way === "archived") await admin.call("POST", `/projects/${projectId}/archive`);
  else await admin.call("POST", `${keys}/${key.id}/rotate`, { overlap_seconds: 0 });
  return { ...batch, way };
}

/** Each line has one result, each charge of the batch an answer, and an error line says that it cost nothing. */
function findFaults({ id, way, scripts }: Interrupted, results: BatchResults, ledger: Ledger): string[] {
  const { batch, output, errors } = results;
  const faults: string[] = [];
  const named = new Set([...output, ...errors].map(({ custom_id }) => custom_id));
  if (named.size !== scripts.length || output.length + errors.length !== scripts.length)
    faults.push(`${id}, ${way}: ${output.length + errors.length} results for ${scripts.length} lines`);
  if (way === "rotated" && errors.length > 0)
    faults.push(`${id}: ${errors.length} lines failed by a rotation`);
  const amounts = new Map(ledger.entries.map(({ requestId, amount }) => [requestId, amount]));
  let charged = 0n;
  for (const { custom_id, response } of output) {
    const amount = amounts.get(response?.request_id ?? null);
    if (amount === undefined) faults.push(`${custom_id}: an answer without a charge`);
    charged += amount ?? 0n;
  }
  for (const { custom_id, response } of errors) {
    if (response?.status_code !== 401) faults.push(`${custom_id}, ${way}: ${JSON.stringify(response)}`);
    if (amounts.has(response?.request_id ?? null))
      faults.push(`${custom_id}, ${way}: charged and thrown away`);
  }
  if (batch.amount === null || parseAmount(batch.amount) !== charged)
    faults.push(`${id}: says it cost ${batch.amount}, and its answers' charges are ${charged} nano-units`);
  return faults;
}
