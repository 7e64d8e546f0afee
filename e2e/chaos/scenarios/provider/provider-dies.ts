import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../support/clients/until";
import { startProgram } from "../../../support/programs/start-program";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import type { NextCall } from "../../clients/keep-calling";
import { keepCalling } from "../../clients/keep-calling";
import { readInvoices } from "../../provider/invoice-log";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER, startFaultStage } from "../../start-stage";

const CONNECTIONS = 64;
const FIRST = "first";
const routed = { ...PLAIN_MODEL, providers: [FIRST, PLAIN_PROVIDER.id] };
const circuit = { failures: 10, pause_seconds: 15 };

export const providerDies: Scenario = {
  name: "provider-dies",
  does: "{size} plain calls while the first of two providers is killed: each is answered, and charged once",
  full: 10_000,
  smoke: 400,
  async run(order) {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-chaos-dying-"));
    const invoicePath = join(folder, "invoices");
    const dying = await startProgram<{ url: string }>(["e2e/chaos/provider/fault-provider.ts"], {
      INVOICES: invoicePath,
    });
    let death: Promise<void> | null = null;
    try {
      return await callRouted(order, {
        baseUrl: `${dying.ready.url}/v1`,
        drawFaults: () => ({}),
        onReceived(count) {
          if (count === Math.floor(order.size / 2)) death = dying.stop("SIGKILL");
        },
        firstInvoices: () => readInvoices(invoicePath),
      });
    } finally {
      await (death ?? dying.stop());
      await rm(folder, { recursive: true, force: true });
    }
  },
};

export const everySecondFails: Scenario = {
  name: "every-second-fails",
  does: "{size} plain calls while the first of two providers answers 500 to every second one: each is answered, and charged once",
  full: 10_000,
  smoke: 200,
  run: (order) => callRouted(order, { drawFaults: (count) => (count % 2 === 0 ? { faults: [500] } : {}) }),
};

interface Ordeal {
  /** The first provider's address, if it is another server than the second one's. */
  readonly baseUrl?: string;
  drawFaults(count: number): Partial<NextCall["script"]>;
  /** @param count how many calls have ended. */
  onReceived?(count: number): void;
  /** What the first provider has invoiced by itself. */
  firstInvoices?(): ReturnType<typeof readInvoices>;
}

async function callRouted({ size, random }: ScenarioOrder, ordeal: Ordeal): Promise<Outcome> {
  const { baseUrl, firstInvoices = () => new Map() } = ordeal;
  const first = { id: FIRST, max_concurrent_requests: 20_000, circuit, ...(baseUrl && { baseUrl }) };
  const stage = await startFaultStage({
    models: [routed],
    providers: [first, PLAIN_PROVIDER],
    keyCount: CONNECTIONS,
  });
  let ended = 0;
  try {
    const calls = await keepCalling(stage, {
      next: (count) =>
        count < size && {
          model: routed.id,
          isStream: false,
          isMessage: random.chance(0.3),
          script: {
            promptTokens: random.between(1, 50),
            completionTokens: random.between(1, 9),
            gapMs: random.between(0, 4),
            ...ordeal.drawFaults(count),
          },
        },
      onReceived: () => ordeal.onReceived?.(++ended),
    });
    await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
    const [before, after] = [firstInvoices(), stage.invoices()];
    // A call that both have seen was answered by the second one.
    const invoices = new Map([...before, ...after]);
    const { faults, figures } = reconcile({ calls, invoices, ledger: stage.ledger(), models: stage.models });
    const unanswered = calls.filter(({ isComplete }) => !isComplete);
    for (const { script, status, text } of unanswered.slice(0, 5))
      faults.push(`${script.nonce} was not answered: ${status} ${text.slice(0, 300)}`);
    if (unanswered.length > 0) faults.push(`${unanswered.length} plain calls were lost`);
    if (figures.charged !== size) faults.push(`${figures.charged} charges for ${size} calls`);
    return { faults, figures: { ...figures, "seen by the second": after.size } };
  } finally {
    await stage.stop();
  }
}
