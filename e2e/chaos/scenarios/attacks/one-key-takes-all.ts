import { until } from "@/e2e/support/clients/until";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { findErrorCode } from "../../clients/call-gateway";
import { keepCalling } from "../../clients/keep-calling";
import { raceCalls } from "../../clients/race-calls";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER, startFaultStage } from "../../start-stage";

/** The share of a provider's places that one key can take. */
const SHARE = 3 / 4;

export const oneKeyTakesAll: Scenario = {
  name: "one-key-takes-all",
  does: "one key asks for twice the provider's {size} places with calls that hang: another project's calls go on",
  full: 400,
  smoke: 40,
  async run({ size, random }) {
    const stage = await startFaultStage({
      providers: [{ ...PLAIN_PROVIDER, max_concurrent_requests: size }],
    });
    const [greedy = { id: "", value: "" }] = stage.keys;
    const other = await stage.admin.call<{ id: string }>("POST", "/projects", { name: "Other" });
    const key = await stage.admin.call<{ id: string; value: string }>(
      "POST",
      `/projects/${other.id}/api_keys`,
      { name: "Other" },
    );
    const script = () => ({ promptTokens: random.between(1, 50), completionTokens: random.between(1, 5) });
    try {
      const racing = await raceCalls(
        Array.from({ length: 2 * size }, (_, index) => ({
          keyId: greedy.id,
          model: PLAIN_MODEL.id,
          isStream: random.chance(0.5),
          script: { nonce: `greedy-${index}`, ...script(), waitAfter: 0 },
        })),
        { baseUrls: stage.baseUrls, key: greedy.value },
      );
      const share = Math.ceil(size * SHARE);
      await until("the key has its share", async () => (await stage.waiting()).length === share);
      const others = await keepCalling(
        { keys: [key], baseUrl: stage.baseUrl },
        {
          prefix: "other-",
          next: (count) =>
            count < size && { model: PLAIN_MODEL.id, isStream: random.chance(0.5), script: script() },
        },
      );
      await stage.letGo();
      const greedyCalls = await Promise.all(racing);
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
      const { faults, figures } = reconcile({
        calls: [...greedyCalls, ...others],
        invoices: stage.invoices(),
        ledger: stage.ledger(),
        models: stage.models,
      });
      const refused = greedyCalls.filter((call) => findErrorCode(call) === "provider_saturated");
      if (refused.length !== 2 * size - share)
        faults.push(`${refused.length} of the greedy key's calls were refused, not ${2 * size - share}`);
      const unanswered = others.filter(({ isComplete }) => !isComplete);
      faults.push(...unanswered.map((call) => `${call.script.nonce}: not answered, ${call.status}`));
      return { faults, figures: { ...figures, refused: refused.length, others: others.length } };
    } finally {
      await stage.stop();
    }
  },
};
