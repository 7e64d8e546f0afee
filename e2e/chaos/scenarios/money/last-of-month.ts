import { formatAmount, toNano } from "@/lib/money/amount";
import { reconcile } from "../../books/reconcile";
import type { ClientCall } from "../../clients/call-gateway";
import { raceHeldCalls } from "../../clients/race-held-calls";
import type { Scenario } from "../../scenario";
import { startFaultStage } from "../../start-stage";

const CENT = 10_000_000n;
const MAX_TOKENS = 5;

export const lastOfMonth: Scenario = {
  name: "last-of-month",
  does: "{size} calls race for what a project may spend in a month, twice, with a restart between",
  full: 1_000,
  smoke: 100,
  async run({ size, random }) {
    // The limit pays for about as many tokens as there are calls, and leaves a remainder smaller than a token.
    const token = CENT / BigInt(size) - BigInt(random.between(1, 9));
    const price = { input_per_1m: "0", output_per_1m: formatAmount(toNano(token * 1_000_000n)) };
    const models = [{ id: "fault", rate: "1", price }];
    const stage = await startFaultStage({ models });
    const faults: string[] = [];
    const clientCall = (race: number): ClientCall[] =>
      Array.from({ length: size }, (_, index) => ({
        keyId: "",
        model: "fault",
        isStream: random.chance(0.5),
        maxTokens: random.between(1, MAX_TOKENS),
        script: { nonce: `race${race}-${index}`, promptTokens: 1, completionTokens: 1, waitAfter: 0 },
      }));
    try {
      const limit = { currency: "USD", interval: "month", threshold_amount: 1 };
      await stage.admin.call("POST", `/projects/${stage.projectId}/spend_limit`, limit);
      const calls = [];
      let spent = 0n;
      for (const race of [1, 2]) {
        const due = formatAmount(toNano(((CENT - spent) / token) * token));
        const { received, refused } = await raceHeldCalls(stage, clientCall(race), 402, async () => {
          const { held } = await stage.admin.call<{ held: string }>("GET", "/balance");
          if (held !== due) faults.push(`race ${race}: ${held} is held, and ${due} may be spent`);
        });
        const odd = refused.filter(({ text }) => !text.includes('"spend_limit'));
        faults.push(...odd.map(({ text }) => `race ${race}: refused for another reason: ${text}`));
        spent += token * BigInt(size - refused.length);
        calls.push(...received);
        if (race === 1) await stage.gateway.restart();
      }
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models };
      const { faults: found, figures } = reconcile(books);
      const charged = (books.ledger.accounts.get("charges") ?? 0n) <= CENT;
      if (!charged) faults.push("More is charged than may be spent");
      return { faults: [...faults, ...found], figures: { ...figures, spent: formatAmount(toNano(spent)) } };
    } finally {
      await stage.stop();
    }
  },
};
