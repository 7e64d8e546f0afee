import { formatAmount, toNano } from "@/lib/money/amount";
import { raceCalls } from "../barrier";
import type { Received } from "../call-gateway";
import { reconcile } from "../reconcile";
import type { Scenario } from "../scenario";
import { startStage } from "../start-stage";
import { until } from "../until";

/** What a call costs is known to the nano-unit beforehand: output alone is priced, and there is one token of it. */
const CALL = 7_000n;
const model = {
  id: "fault",
  rate: "1",
  price: { input_per_1m: "0", output_per_1m: formatAmount(toNano(CALL * 1_000_000n)) },
};

export const lastCent: Scenario = {
  name: "last-cent",
  does: "{size} calls race for the last of the balance",
  full: 1_000,
  smoke: 100,
  async run({ size, random }) {
    const affordable = random.between(size / 10, size - size / 10);
    const change = BigInt(random.between(0, Number(CALL) - 1));
    const balance = toNano(BigInt(affordable) * CALL + change);
    const stage = await startStage({ balance: formatAmount(balance), models: [model] });
    try {
      const keyId = stage.keys[0]?.id ?? "";
      const asked = Array.from({ length: size }, (_, index) => ({
        keyId,
        model: model.id,
        isStream: random.chance(0.5),
        script: { nonce: `n${index}`, promptTokens: 1, completionTokens: 1, waitAfter: 0 },
      }));
      const refused: Received[] = [];
      const key = stage.keys[0]?.value ?? "";
      const racing = await raceCalls(asked, { baseUrl: stage.gateway.baseUrl, key, maxTokens: 1 });
      for (const call of racing) {
        void call.then((received) => received.status === 402 && refused.push(received));
      }
      // None is answered before all are decided, so that no charge makes room for another.
      await until(
        "all are decided",
        async () => refused.length + (await stage.waiting()).length >= size,
      ).finally(stage.letGo);
      const calls = await Promise.all(racing);
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: [model] };
      const { faults, figures } = reconcile(books);
      const { complete } = figures;
      const left = books.ledger.accounts.get("balance");
      if (complete !== affordable) faults.push(`${complete} were admitted, ${affordable} are affordable`);
      if (refused.length !== size - affordable) faults.push(`${refused.length} were refused for the balance`);
      if (left !== change) faults.push(`${left} nano-units are left of ${balance}, not ${change}`);
      return { faults, figures: { ...figures, affordable, refused: refused.length } };
    } finally {
      await stage.stop();
    }
  },
};
