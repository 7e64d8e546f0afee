import { findLedgerFaults } from "../../books/find-ledger-faults";
import { callGateway, listStreamedTexts } from "../../clients/call-gateway";
import type { ProviderFault } from "../../provider/provider-script";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const breaks: readonly (readonly ProviderFault[])[] = [["no end"], ["no JSON"], ["an error"], []];

export const earlyUsage: Scenario = {
  name: "early-usage",
  does: "streams that report one token first, in chunks with white space, cut in three ways or whole, {size} times",
  full: 50,
  smoke: 3,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    try {
      const made = await Promise.all(
        Array.from({ length: size }, (_, round) =>
          breaks.flatMap((faults, index) =>
            [false, true].map((isSpaced) => {
              const nonce = `e${round}-${index}-${isSpaced}`;
              const completionTokens = random.between(20, 90);
              const shape = { isUsageEarly: true, isSpaced, usages: [], faults };
              const script = { nonce, promptTokens: 7, completionTokens, ...shape };
              const asked = { keyId, model: PLAIN_MODEL.id, isStream: true, script, wantsUsage: true };
              return callGateway(asked, { baseUrl: stage.baseUrl, key });
            }),
          ),
        ).flat(),
      );
      const ledger = stage.ledger();
      const faults = [...findLedgerFaults(ledger)];
      for (const { requestId, text } of made) {
        const words = listStreamedTexts(text.replace("data: [DONE]", "")).length;
        const charge = ledger.entries.find((row) => row.kind === "charge" && row.requestId === requestId);
        if (!charge || Number(charge.completionTokens) < words)
          faults.push(`${requestId}: ${words} words came, ${charge?.completionTokens} are charged`);
      }
      return { faults, figures: { calls: made.length } };
    } finally {
      await stage.stop();
    }
  },
};
