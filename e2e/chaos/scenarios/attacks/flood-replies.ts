import { readPeakMegabytes } from "@/e2e/support/programs/process-memory";
import { reconcile } from "../../books/reconcile";
import { callGateway, type Received } from "../../clients/call-gateway";
import { HonestStreams, lateness } from "../../provider/honest-streams";
import type { ProviderFault } from "../../provider/provider-script";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const FULL = 60;
const MAX_CONCURRENT = 3;
const hostile: readonly ProviderFault[] = ["brackets", "elements", "an error of brackets", "an endless line"];

/** A provider sends replies that are expensive to parse next to honest streams, whose chunks must not be delayed. */
export const floodReplies: Scenario = {
  name: "flood-replies",
  does: "{size} replies of up to 64 MB that are dear to read, whole and in streams, beside 50 honest streams",
  full: FULL,
  smoke: hostile.length * 2,
  async run({ size }) {
    const isFull = size >= FULL;
    const stage = await startFaultStage({ keyCount: isFull ? 51 : 6 });
    try {
      const honest = new HonestStreams(stage);
      const quiet = await honest.run(() => Promise.resolve(null));
      const loud = await honest.run(() => flood(stage, size));
      const flooded = loud.result as Received[];
      const calls = [...honest.calls, ...flooded];
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults, figures } = reconcile(books);
      const late = lateness(quiet.delays, loud.delays);
      const answered = flooded.filter(({ isComplete }) => isComplete).length;
      return {
        faults: [
          ...faults,
          ...honest.faults(),
          ...(answered > 0 ? [`${answered} hostile replies were passed on as answers`] : []),
          // In small runs the machine may be busy with other work, so times prove nothing.
          ...(isFull ? late.faults : []),
        ],
        figures: { ...figures, ...late.figures, "MB at its peak": readPeakMegabytes(stage.gateway.pid()) },
      };
    } finally {
      await stage.stop();
    }
  },
};

/** Uses the first key. */
async function flood({ baseUrl, keys }: Stage, size: number): Promise<Received[]> {
  const { id: keyId = "", value: key = "" } = keys[0] ?? {};
  const all: Received[] = [];
  let sent = 0;
  const keepAsking = async () => {
    while (sent < size) {
      const index = sent++;
      const fault = hostile[index % hostile.length] as ProviderFault;
      const script = { nonce: `f${index}`, promptTokens: 5, completionTokens: 4, faults: [fault] };
      const isStream = index % (hostile.length * 2) >= hostile.length;
      all.push(await callGateway({ keyId, model: PLAIN_MODEL.id, isStream, script }, { baseUrl, key }));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, keepAsking));
  return all;
}
