import { computeDueCharge, reconcile } from "../../books/reconcile";
import { callGateway } from "../../clients/call-gateway";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

interface UsageForm {
  readonly name: string;
  /** The usages as JSON, in the order in which the provider sends them. */
  readonly usages: readonly string[];
  /** The charged tokens; null where the gateway counts them itself and marks the charge as estimated. */
  readonly charged: readonly [promptTokens: number, completionTokens: number] | null;
  /** The same for a stream, whose earlier chunks count where a whole reply has but one usage. */
  readonly chargedOfStream?: UsageForm["charged"];
}

const usage = (prompt: unknown, completion: unknown) =>
  `{"prompt_tokens":${prompt},"completion_tokens":${completion}}`;
const bad = (name: string, ...usages: string[]): UsageForm => ({ name, usages, charged: null });
const good = (name: string, charged: UsageForm["charged"], ...usages: string[]): UsageForm => ({
  name,
  usages,
  charged,
});

const forms: readonly UsageForm[] = [
  good("true", [7, 3], usage(7, 3)),
  good("a whole float", [7, 3], usage("7.0", "3.0")),
  good("strings", [7, 3], usage('"7"', '"3"')),
  good("a total and half of it", [7, 3], '{"prompt_tokens":7,"total_tokens":10}'),
  good("other names", [7, 3], '{"input_tokens":7,"output_tokens":3}'),
  bad("explicit 0", usage(0, 0)),
  bad("0 and -0", usage("-0", "0.0")),
  bad("no output", usage(7, 0)),
  bad("no prompt", usage(0, 3)),
  bad("a total alone", '{"total_tokens":10}'),
  good("twice", [7, 3], usage(9, 9), usage(7, 3)),
  good("twice, first bad", [7, 3], usage(-1, 3), usage(7, 3)),
  good("an exponent that is whole", [20, 3], usage("2e1", 3)),
  bad("missing"),
  bad("null", "null"),
  bad("empty", "{}"),
  bad("a number", "5"),
  bad("a string", '"lots"'),
  bad("a list", "[7,3]"),
  bad("true as a word", "true"),
  bad("negative prompt", usage(-7, 3)),
  bad("negative completion", usage(7, -3)),
  bad("a float", usage(7.5, 3)),
  bad("null inside", usage(7, "null")),
  bad("half of it", '{"prompt_tokens":7}'),
  bad("huge", usage(7, "1e15")),
  bad("beyond 2^53", usage("9007199254740993", 3)),
  bad("infinite", usage("1e400", 3)),
  { ...bad("twice, last bad", usage(7, 3), usage(7, -3)), chargedOfStream: [7, 3] },
  { ...bad("twice, last zeros", usage(7, 3), usage(0, 0)), chargedOfStream: [7, 3] },
];
/** A valid usage that is far larger than the hold. */
const beyondHold = good("above the hold", [1_000_000, 1_000_000], usage(1_000_000, 1_000_000));

export const usageForms: Scenario = {
  name: "usage-forms",
  does: "usage null, 0, negative, float, string, huge, missing, twice, each whole and streamed, {size} times",
  full: 20,
  smoke: 1,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    const order = Array.from({ length: size }, () => [...forms, beyondHold]).flat();
    try {
      const made = await Promise.all(
        order.flatMap((form, index) =>
          [false, true].map(async (isStream) => {
            const nonce = `n${index}-${isStream}`;
            const words = random.between(1, 9);
            const script = { nonce, promptTokens: 7, completionTokens: words, usages: form.usages };
            const asked = { keyId, model: PLAIN_MODEL.id, isStream, script, wantsUsage: true };
            return { form, call: await callGateway(asked, { baseUrl: stage.baseUrl, key }) };
          }),
        ),
      );
      const ledger = stage.ledger();
      const calls = made.map(({ call }) => call);
      const { faults, figures } = reconcile({
        calls,
        invoices: stage.invoices(),
        ledger,
        models: stage.models,
      });
      for (const { form, call } of made) {
        const fault = (what: string) =>
          faults.push(`${form.name}, ${call.isStream ? "streamed" : "whole"}: ${what}`);
        const charge = ledger.entries.find(
          (row) => row.kind === "charge" && row.requestId === call.requestId,
        );
        const hold = ledger.holds.find(({ requestId }) => requestId === call.requestId);
        if (!call.isComplete) fault(`not answered in full: ${call.status} ${call.text.slice(-200)}`);
        if (!charge || !hold) continue;
        const charged = (call.isStream && form.chargedOfStream) || form.charged;
        const basis = charged ? "reported" : "estimated";
        if (charge.basis !== basis) fault(`its charge is ${charge.basis} instead of ${basis}`);
        const [promptTokens, completionTokens] = charged ?? shownUsage(call.text);
        const due = computeDueCharge({ promptTokens, completionTokens }, stage.models, PLAIN_MODEL.id);
        const expected = due < hold.amount ? due : hold.amount;
        if (charge.amount !== expected) fault(`charged ${charge.amount}, due were ${expected}`);
        if (basis === "estimated" && charge.amount === 0n) fault("an estimate of nothing");
      }
      return { faults, figures: { forms: forms.length + 1, ...figures } };
    } finally {
      await stage.stop();
    }
  },
};

/** The usage in the reply, which must be the charged one. */
function shownUsage(text: string): readonly [number, number] {
  const shown = [...text.matchAll(/"prompt_tokens":(\d+),"completion_tokens":(\d+)/g)].at(-1);
  return [Number(shown?.[1] ?? Number.NaN), Number(shown?.[2] ?? Number.NaN)];
}
