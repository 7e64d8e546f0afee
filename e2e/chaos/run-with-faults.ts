import { until } from "../support/clients/until";
import { readPeakMegabytes } from "../support/programs/process-memory";
import { findCaseFaults } from "./books/find-case-faults";
import { openHolds } from "./books/read-ledger";
import { reconcile } from "./books/reconcile";
import { keepCalling } from "./clients/keep-calling";
import type { FaultCase } from "./fault-case";
import type { Outcome, ScenarioOrder } from "./scenario";
import { PLAIN_MODEL, type StageModel, type StageProvider, startFaultStage } from "./start-stage";

const CONNECTIONS = 24;
/** Far longer than every deadline: a call that lasts this long was not ended by the gateway. */
const TIMEOUT_MS = 20_000;

interface FaultRun {
  readonly cases: readonly [FaultCase, ...FaultCase[]];
  /** The models of calls without a case. */
  readonly goodModels?: readonly [string, ...string[]];
  readonly connections?: number;
  readonly models?: readonly StageModel[];
  readonly providers?: readonly StageProvider[];
}

/** Makes calls, of which half have a random fault, and checks each call's case in all three books. */
export async function runWithFaults({ size, random }: ScenarioOrder, ordeal: FaultRun): Promise<Outcome> {
  const { cases, goodModels = [PLAIN_MODEL.id], connections = CONNECTIONS, ...staged } = ordeal;
  const stage = await startFaultStage({ keyCount: connections, ...staged });
  const casesByNonce = new Map<string, FaultCase>();
  // Each case is used at least once.
  const order = Array.from({ length: size }, (_, at) =>
    at < cases.length ? cases[at] : random.chance(0.5) ? random.pick(cases) : null,
  );
  const megabytesBefore = readPeakMegabytes(stage.gateway.pid());
  try {
    const calls = await keepCalling(stage, {
      // The letter has two bytes in UTF-8, so that small pieces split it.
      prefix: "é",
      timeoutMs: TIMEOUT_MS,
      next: (count) => {
        const wrong = order[count];
        if (wrong === undefined) return false;
        if (wrong) casesByNonce.set(`é${count}`, wrong);
        return {
          model: wrong ? (wrong.model ?? PLAIN_MODEL.id) : random.pick(goodModels),
          isStream: wrong?.isStream ?? random.chance(0.5),
          script: {
            promptTokens: random.between(1, 50),
            completionTokens: random.between(1, 9),
            ...(wrong && { faults: wrong.faults }),
          },
        };
      },
    });
    await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
    const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
    const { faults, figures } = reconcile(books);
    faults.push(...findCaseFaults(books, casesByNonce));
    const megabytes = readPeakMegabytes(stage.gateway.pid()) - megabytesBefore;
    return { faults, figures: { ...figures, faulty: casesByNonce.size, "MB more at its peak": megabytes } };
  } finally {
    await stage.stop();
  }
}
