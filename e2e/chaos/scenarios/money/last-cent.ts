import { formatAmount, toNano } from "@/lib/money/amount";
import { reconcile } from "../../books/reconcile";
import type { ClientCall } from "../../clients/call-gateway";
import { raceHeldCalls } from "../../clients/race-held-calls";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";
import { type StartStage, startFaultStage } from "../../start-stage";

/** The price of a token of output. Input has none, so the maximum cost of a call is known in advance. */
const TOKEN = 7_000n;
const model = {
  id: "fault",
  rate: "1",
  price: { input_per_1m: "0", output_per_1m: formatAmount(toNano(TOKEN * 1_000_000n)) },
};
const MAX_TOKENS = 5;

/** A model whose prompts cost as much as its answers, and a call that it counts 20 tokens in and 20 out for. */
const priced = {
  id: "priced",
  rate: "1",
  price: { input_per_1m: "1.00", output_per_1m: "1.00" },
};
const COUNTED = { promptTokens: 20, completionTokens: 20 };
const CHARGE = toNano(40_000n);
/** The calls from which the gateway learns how such prompts are counted. */
const FORMER_CALLS = 3;
/** The share of the affordable calls that are answered at once. */
const SHARE = 0.95;

export const lastCent: Scenario = {
  name: "last-cent",
  does: "{size} calls race for the last of the balance: of one token each, of one to five, and with long prompts",
  full: 1_000,
  smoke: 100,
  async run(order) {
    const race = await raceForLastCent(order, startFaultStage);
    const prompts = await racePrompts(order);
    return {
      faults: [...race.faults, ...prompts.faults],
      figures: { ...race.figures, ...prompts.figures },
    };
  },
};

/** Calls of one token each race for the balance, then calls of one to five. */
export async function raceForLastCent(order: ScenarioOrder, start: StartStage): Promise<Outcome> {
  const { size, random } = order;
  const affordable = random.between(size / 10, size - size / 10);
  const payable = random.between(size / 10, size - size / 10);
  const change = toNano(BigInt(random.between(0, Number(TOKEN) - 1)));
  const stage = await start({ balance: priceOfTokens(affordable, change), models: [model] });
  const balance = () => stage.admin.call<{ available: string; held: string }>("GET", "/balance");
  try {
    const alike = clientCall("alike", order, () => 1);
    const first = await raceHeldCalls(stage, alike, 402);
    const admitted = size - first.refused.length;
    const { available: left } = await balance();

    await stage.admin.call("POST", "/payments", { amount: priceOfTokens(payable) });
    const sized = clientCall("sized", order, () => random.between(1, MAX_TOKENS));
    let held = "";
    const second = await raceHeldCalls(stage, sized, 402, async () => {
      held = (await balance()).held;
    });

    const calls = [...first.received, ...second.received];
    const books = { calls, invoices: stage.invoices(), ledger: await stage.ledger(), models: [model] };
    const { faults, figures } = reconcile(books);
    if (admitted !== affordable) faults.push(`${admitted} calls were admitted, ${affordable} are affordable`);
    if (left !== formatAmount(change)) faults.push(`${left} is left, and not ${formatAmount(change)}`);
    // The last call's output limit is lowered to fit, so the whole balance can be held.
    if (held !== priceOfTokens(payable)) faults.push(`${held} is held, of ${priceOfTokens(payable)}`);
    return { faults, figures: { ...figures, affordable, admitted, payable, held } };
  } finally {
    await stage.stop();
  }
}

/** A fifth of the calls is affordable, by what they cost and not by the bytes of their prompts. */
async function racePrompts({ size, random }: ScenarioOrder) {
  const affordable = size / 5;
  const balance = formatAmount(toNano(CHARGE * BigInt(affordable + FORMER_CALLS)));
  const stage = await startFaultStage({ balance, models: [priced] });
  try {
    const race = (name: string, count: number) => {
      const calls = Array.from({ length: count }, (_, index) => ({
        keyId: "",
        model: priced.id,
        isStream: random.chance(0.5),
        maxTokens: COUNTED.completionTokens,
        script: { nonce: `${name}${1_000 + index}`, ...COUNTED, waitAfter: 0 },
      }));
      return raceHeldCalls(stage, calls, 402);
    };
    const former = await race("former", FORMER_CALLS);
    const { received, refused } = await race("prompt", size);
    const calls = [...former.received, ...received];
    const { faults } = reconcile({
      calls,
      invoices: stage.invoices(),
      ledger: stage.ledger(),
      models: [priced],
    });
    const answered = size - refused.length;
    if (answered > affordable || answered < affordable * SHARE)
      faults.push(`${answered} calls were answered at once, and ${affordable} are affordable`);
    return { faults, figures: { "affordable prompts": affordable, "answered at once": answered } };
  } finally {
    await stage.stop();
  }
}

const priceOfTokens = (tokens: number, more = 0n) => formatAmount(toNano(BigInt(tokens) * TOKEN + more));

function clientCall(name: string, { size, random }: ScenarioOrder, tokens: () => number): ClientCall[] {
  return Array.from({ length: size }, (_, index) => ({
    keyId: "",
    model: model.id,
    isStream: random.chance(0.5),
    isResponse: random.chance(0.5),
    maxTokens: tokens(),
    script: { nonce: `${name}${index}`, promptTokens: 1, completionTokens: 1, waitAfter: 0 },
  }));
}
