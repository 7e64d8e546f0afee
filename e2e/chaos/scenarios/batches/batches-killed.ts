import { until } from "@/e2e/support/clients/until";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { groupBy } from "@/lib/gateway/lists/group-by";
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
import { killWhile } from "../../kill-while";
import { listAnswerWords } from "../../provider/provider-script";
import type { Scenario } from "../../scenario";
import { startFaultStage } from "../../start-stage";

const LINES = 120;
/** A busy machine may take this long. */
const TIMEOUT_MS = 240_000;
const LET_GO_MS = 40;
/** The errors of lines whose call was under way at a kill. */
const INTERRUPTED = "idempotency_charged";

export const batchesKilled: Scenario = {
  name: "batches-killed",
  does: "{size} batches of 120 lines, and kill -9 of the gateway three times for each: while files are read, lines answered and results stored",
  full: 6,
  smoke: 2,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const letting = setInterval(() => void stage.letGo().catch(() => {}), LET_GO_MS);
    try {
      const ordering = Promise.all(
        Array.from({ length: size }, (_, index) =>
          orderBatch(stage, { name: `b${index}`, lines: LINES, random }),
        ),
      );
      const kills = size * 3;
      const ordered = await killWhile(stage.gateway, { kills, withinMs: 800, random }, ordering);
      for (const { id } of ordered) {
        const hasEnded = async () => (await retrieveBatch(stage, id))?.status === "completed";
        await until(`${id} is completed`, hasEnded, TIMEOUT_MS);
      }
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0, TIMEOUT_MS);
      const ledger = stage.ledger();
      const results = await Promise.all(ordered.map(({ id }) => readBatchResults(stage, id)));
      const faults = [
        ...ordered.flatMap((batch, index) => findBatchFaults(batch, results[index] as BatchResults, ledger)),
        ...findInvoiceFaults(stage.invoices()),
        ...findLedgerFaults(ledger),
        ...examine(stage.databasePath, Date.now()).flatMap((finding) => finding.faults),
      ];
      const charges = ledger.entries.filter(({ kind }) => kind === "charge").length;
      if (charges !== size * LINES) faults.push(`${charges} charges for ${size * LINES} lines`);
      const interrupted = results.reduce((sum, { errors }) => sum + errors.length, 0);
      return { faults, figures: { batches: size, kills, charges, interrupted } };
    } finally {
      clearInterval(letting);
      await stage.stop();
    }
  },
};

/**
 * Checks that each line has one result, in order within its file, and one charge, and that the batch says what it cost.
 */
export function findBatchFaults(
  { id, scripts }: OrderedBatch,
  results: BatchResults,
  ledger: Ledger,
): string[] {
  const { batch, output, errors } = results;
  const faults: string[] = [];
  const named = [...output, ...errors].map(({ custom_id }) => custom_id);
  const counts = batch.request_counts;
  if (
    named.toSorted().join() !==
    scripts
      .map(({ nonce }) => nonce)
      .toSorted()
      .join()
  )
    faults.push(
      `${id}: ${named.length} results, ${new Set(named).size} different, for ${scripts.length} lines`,
    );
  if (counts.completed !== output.length || counts.failed !== errors.length)
    faults.push(`${id}: counts ${JSON.stringify(counts)} for ${output.length} and ${errors.length} results`);
  const positionsByNonce = new Map(scripts.map(({ nonce }, index) => [nonce, index]));
  for (const file of [output, errors]) {
    const positions = file.map(({ custom_id }) => positionsByNonce.get(custom_id) ?? -1);
    if (positions.some((position, index) => position <= (positions[index - 1] ?? -1)))
      faults.push(`${id}: results out of order`);
  }
  const chargesByRequest = groupBy(
    ledger.entries.filter(({ kind }) => kind === "charge"),
    ({ requestId }) => requestId,
  );
  let charged = 0n;
  for (const { custom_id, response } of [...output, ...errors]) {
    const charges = chargesByRequest.get(response?.request_id ?? null) ?? [];
    if (charges.length !== 1) faults.push(`${custom_id}: its result names ${charges.length} charges`);
    charged += charges.reduce((sum, { amount }) => sum + amount, 0n);
  }
  if (batch.amount === null || parseAmount(batch.amount) !== charged)
    faults.push(`${id}: says it cost ${batch.amount}, and its lines' charges are ${charged} nano-units`);
  return [...faults, ...findAnswerFaults(scripts, results)];
}

function findAnswerFaults(scripts: OrderedBatch["scripts"], { output, errors }: BatchResults): string[] {
  const scriptsByNonce = new Map(scripts.map((script) => [script.nonce, script]));
  const wrong = output.filter(({ custom_id, response }) => {
    const { choices } = (response?.body ?? {}) as { choices?: { message: { content: string } }[] };
    const script = scriptsByNonce.get(custom_id);
    return !script || choices?.[0]?.message.content !== listAnswerWords(script).join("");
  });
  const unexpected = errors.filter(({ response }) => {
    const { error } = (response?.body ?? {}) as { error?: { code: string } };
    return error?.code !== INTERRUPTED;
  });
  return [
    ...wrong.map(({ custom_id }) => `${custom_id}: another line's answer`),
    ...unexpected.map(({ custom_id, response }) => `${custom_id}: ${JSON.stringify(response)}`),
  ];
}

/** A line that reached the provider was charged then, and must not be sent again. */
export function findInvoiceFaults(invoices: ReadonlyMap<string, { nonce: string; sent: number }>): string[] {
  return [...invoices.values()]
    .filter(({ sent }) => sent > 1)
    .map(({ nonce, sent }) => `${nonce}: sent to the provider ${sent} times`);
}
