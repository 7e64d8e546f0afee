import { readPeakMegabytes } from "@/e2e/support/programs/process-memory";
import { reconcile } from "../../books/reconcile";
import type { FloodOrder, FloodOutcome } from "../../clients/flood";
import { hostileBodies, NARROW_MODEL } from "../../hostile-bodies";
import { HonestStreams, lateness } from "../../provider/honest-streams";
import type { Outcome, Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const FULL = 400;

/** Sends hostile bodies next to honest streams, whose chunks must not be delayed. */
export const floodBodies: Scenario = {
  name: "flood-bodies",
  does: "{size} of the worst bodies, from strangers and with a key, beside 200 honest streams",
  full: FULL,
  smoke: hostileBodies.length,
  async run({ size }) {
    const isFull = size >= FULL;
    const stage = await startFaultStage({
      keyCount: isFull ? 201 : 11,
      models: [PLAIN_MODEL, { ...PLAIN_MODEL, id: NARROW_MODEL }],
    });
    try {
      await stage.admin.saveRateLimit(stage.projectId, NARROW_MODEL, { max_tokens_per_1_minute: 1_000 });
      const honest = new HonestStreams(stage);
      const quiet = await honest.run(() => Promise.resolve(null));
      const loud = await honest.run(() => flood(stage, size));
      const { faults, refused, turnedAway } = loud.result as FloodOutcome;
      const { calls } = honest;
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults: bookFaults, figures } = reconcile(books);
      const late = lateness(quiet.delays, loud.delays);
      return {
        faults: [
          ...faults,
          ...bookFaults,
          ...honest.faults(),
          // In small runs the machine may be busy with other work, so times prove nothing.
          ...(isFull ? late.faults : []),
        ],
        figures: {
          ...figures,
          refused,
          "turned away": turnedAway,
          ...late.figures,
          "MB at its peak": readPeakMegabytes(stage.gateway.pid()),
        },
      } satisfies Outcome;
    } finally {
      await stage.stop();
    }
  },
};

function flood({ baseUrl, keys }: Stage, count: number): Promise<FloodOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<FloodOutcome>();
  const worker = new Worker(new URL("../../clients/flood.ts", import.meta.url).href);
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage({ baseUrl, key: keys[0]?.value ?? "", count } satisfies FloodOrder);
  return promise.finally(() => worker.terminate());
}
