import { until } from "@/e2e/support/clients/until";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { type ClientCall, findErrorCode, type Received } from "../../clients/call-gateway";
import { keepCalling } from "../../clients/keep-calling";
import { raceCalls } from "../../clients/race-calls";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER, startFaultStage } from "../../start-stage";

const CONNECTIONS = 16;
const HANGING = "hanging";

export const providerSaturated: Scenario = {
  name: "provider-saturated",
  does: "{size} calls of one key hang at a provider, all it may have there: more are refused unsent, other providers' calls go on",
  full: 300,
  smoke: 40,
  async run({ size, random }) {
    const stage = await startFaultStage({
      keyCount: CONNECTIONS,
      models: [PLAIN_MODEL, { ...PLAIN_MODEL, id: HANGING, providers: [HANGING] }],
      providers: [PLAIN_PROVIDER, { id: HANGING, max_concurrent_requests: Math.floor((size * 4) / 3) }],
    });
    const key = stage.keys[0] ?? { id: "", value: "" };
    const race = (name: string, count: number, waitAfter?: number): Promise<Promise<Received>[]> => {
      const asked = Array.from(
        { length: count },
        (_, index): ClientCall => ({
          keyId: key.id,
          model: HANGING,
          isStream: random.chance(0.5),
          script: {
            nonce: `${name}-${index}`,
            promptTokens: random.between(1, 50),
            completionTokens: random.between(1, 5),
            ...(waitAfter !== undefined && { waitAfter }),
          },
        }),
      );
      return raceCalls(asked, { baseUrls: stage.baseUrls, key: key.value });
    };
    try {
      const hung = await race("hung", size, 0);
      await until("the provider has all it may", async () => (await stage.waiting()).length === size);
      const [refused, others] = await Promise.all([
        race("refused", size).then((racing) => Promise.all(racing)),
        keepCalling(stage, {
          prefix: "other-",
          next: (count) =>
            count < size && {
              model: PLAIN_MODEL.id,
              isStream: random.chance(0.5),
              script: { promptTokens: 1, completionTokens: 3 },
            },
        }),
      ]);
      await stage.letGo();
      const answered = await Promise.all(hung);
      const after = await Promise.all(await race("after", size));
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);

      const calls = [...answered, ...refused, ...others, ...after];
      const invoices = stage.invoices();
      const { faults, figures } = reconcile({
        calls,
        invoices,
        ledger: stage.ledger(),
        models: stage.models,
      });
      for (const call of refused) {
        if (call.status !== 503 || findErrorCode(call) !== "provider_saturated")
          faults.push(`${call.script.nonce}: answered ${call.status}, ${call.text.slice(-100)}`);
        if (invoices.has(call.script.nonce)) faults.push(`${call.script.nonce}: sent, and refused`);
      }
      const unanswered = [...answered, ...others, ...after].filter(({ isComplete }) => !isComplete);
      faults.push(...unanswered.map(({ script, status }) => `${script.nonce}: not answered, ${status}`));
      return { faults, figures: { ...figures, refused: refused.length } };
    } finally {
      await stage.stop();
    }
  },
};
