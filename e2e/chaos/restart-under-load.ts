import { until } from "../support/clients/until";
import { reconcile } from "./books/reconcile";
import { drawPlainCall } from "./clients/draw-plain-call";
import { keepCalling } from "./clients/keep-calling";
import type { ProviderFault } from "./provider/provider-script";
import type { ScenarioOrder } from "./scenario";
import { startFaultStage } from "./start-stage";

const CONNECTIONS = 32;
const MAX_REPLIES_BETWEEN = 400;

/** Ends the gateway under load with this signal and restarts it, `size` times. Then compares the three books. */
export async function restartUnderLoad(
  signal: NodeJS.Signals,
  { size, random }: ScenarioOrder,
  /** The faults of half of the calls at the provider; empty for none. */
  providerFaults: readonly ProviderFault[] = [],
) {
  const [fault, ...more] = providerFaults;
  const stage = await startFaultStage({ keyCount: CONNECTIONS });
  try {
    let isOver = false;
    let isUp = Promise.withResolvers<void>();
    let replies = 0;
    const load = keepCalling(stage, {
      next: () => {
        if (isOver) return false;
        const call = drawPlainCall(random);
        const isFaulty = fault !== undefined && random.chance(0.5);
        return isFaulty
          ? { ...call, script: { ...call.script, faults: [random.pick([fault, ...more])] } }
          : call;
      },
      onReceived: ({ requestId }) => {
        if (requestId === null) return isUp.promise;
        replies++;
        return undefined;
      },
    });
    for (let end = 0; end < size; end++) {
      const enough = replies + random.between(1, MAX_REPLIES_BETWEEN);
      await until("the load goes on", () => replies >= enough);
      isUp = Promise.withResolvers();
      await stage.gateway.restart(signal);
      isUp.resolve();
    }
    isOver = true;
    const calls = await load;
    const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
    return { calls, ...reconcile(books) };
  } finally {
    await stage.stop();
  }
}
