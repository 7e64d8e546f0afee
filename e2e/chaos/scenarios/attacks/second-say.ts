import { findLedgerFaults } from "../../books/find-ledger-faults";
import { computeDueCharge } from "../../books/reconcile";
import { type ClientCall, callGateway, listStreamedTexts } from "../../clients/call-gateway";
import type { Scenario } from "../../scenario";
import { MAX_OUTPUT_TOKENS, PLAIN_MODEL, startFaultStage } from "../../start-stage";

const ALLOWED = 20;
const GREED = 900;

/** Requests with two limits, where the hold might follow one and the provider the other. */
const tricks: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { max_tokens: ALLOWED },
  { max_completion_tokens: ALLOWED },
  { max_tokens: ALLOWED, max_completion_tokens: GREED },
  { max_tokens: GREED, max_completion_tokens: ALLOWED },
  { max_tokens: ALLOWED, max_output_tokens: GREED },
  { max_tokens: ALLOWED, maxOutputTokens: GREED },
  { max_tokens: ALLOWED, Max_Tokens: GREED },
  { max_tokens: ALLOWED, "max_to\u212aens": GREED },
  { max_tokens: ALLOWED, options: { num_predict: GREED } },
  { max_tokens: ALLOWED, extra_body: { generation_config: { maxOutputTokens: GREED } } },
  { max_tokens: ALLOWED, best_of: GREED },
  { max_tokens: ALLOWED, min_tokens: GREED },
];

/** Short, because every word contains it, and each word should be one token. */
const writeNonce = (index: number, isStream: boolean) => `${isStream ? "s" : "w"}${index.toString(36)}`;

/** Generates more than its limit allows. */
const OVERLONG = { completionTokens: 300, isGreedy: false };

export const secondSay: Scenario = {
  name: "second-say",
  does: "a second say on the output, in thirteen ways, and providers that write on: whole and streamed, {size} times",
  full: 20,
  smoke: 1,
  async run({ size }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    const ask = async (nonce: string, isStream: boolean, more: ClientCall["more"], script: object) => {
      const greedy = { nonce, promptTokens: 7, completionTokens: 0, isGreedy: true, ...script };
      const asked = { keyId, model: PLAIN_MODEL.id, isStream, script: greedy, more: more ?? {} };
      return callGateway(asked, { baseUrl: stage.baseUrl, key });
    };
    try {
      const order = Array.from({ length: size }, () => tricks).flat();
      const made = await Promise.all(
        order.flatMap((more, index) =>
          [false, true].map((isStream) => ask(writeNonce(index, isStream), isStream, more, {})),
        ),
      );
      const overlong = await Promise.all(
        Array.from({ length: size }, (_, round) => ask(`o${round}`, true, { max_tokens: ALLOWED }, OVERLONG)),
      );
      const ledger = stage.ledger();
      const faults = [...findLedgerFaults(ledger)];
      const invoices = stage.invoices();
      const readCharge = (requestId: string | null) =>
        ledger.entries
          .filter((row) => row.requestId === requestId)
          .reduce((sum, row) => sum + row.amount, 0n);
      for (const { status, requestId, script, more } of made) {
        const invoice = invoices.get(script.nonce);
        const fault = (what: string) =>
          faults.push(`${JSON.stringify(more)} (${requestId}, ${status}): ${what}`);
        if (status !== 200 && invoice) fault("refused, and sent to the provider");
        if (status !== 200 || !invoice) continue;
        const most = Object.keys(more ?? {}).length === 0 ? MAX_OUTPUT_TOKENS : ALLOWED;
        if (invoice.completionTokens > most) fault(`the provider wrote ${invoice.completionTokens}`);
        const due = computeDueCharge(invoice, stage.models, PLAIN_MODEL.id);
        if (readCharge(requestId) !== due) fault(`${readCharge(requestId)} are booked, ${due} are due`);
      }
      for (const { requestId, text } of overlong) {
        const words = listStreamedTexts(text.replace("data: [DONE]", "")).length;
        if (words > ALLOWED || !text.includes('"length"')) faults.push(`${requestId}: ${words} words came`);
      }
      const refused = made.filter(({ status }) => status === 400).length;
      return { faults, figures: { calls: made.length, refused, overlong: overlong.length } };
    } finally {
      await stage.stop();
    }
  },
};
