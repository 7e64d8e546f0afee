import { raceCalls } from "../barrier";
import { callGateway, type Received, requestBody } from "../call-gateway";
import { reconcile } from "../reconcile";
import type { Scenario } from "../scenario";
import { type ChatField, chatFields } from "../simulated-gateway";
import { PLAIN_MODEL, type Stage, startStage } from "../start-stage";
import { until } from "../until";

const USED_BEFORE = 7;
const TOKENS_USED_BEFORE = 12;
const NONCE_DIGITS = 6;

export const lastSlots: Scenario = {
  name: "last-slots",
  does: "{size} calls race for the last tenth as many slots of each limit",
  full: 1_000,
  smoke: 100,
  async run({ size }) {
    const models = chatFields.map((field) => ({ ...PLAIN_MODEL, id: field }));
    const stage = await startStage({ models });
    const figures: Record<string, number> = {};
    const faults: string[] = [];
    const calls: Received[] = [];
    try {
      for (const field of chatFields) {
        const slots = size / 10;
        const { made, admitted, odd } = await raceFor(field, { stage, size, slots });
        calls.push(...made);
        figures[field] = admitted;
        if (admitted !== slots) faults.push(`${field}: ${admitted} were admitted, ${slots} had room`);
        faults.push(...odd);
      }
      const books = reconcile({ calls, invoices: stage.invoices(), ledger: stage.ledger(), models });
      return { faults: [...faults, ...books.faults], figures: { ...books.figures, ...figures } };
    } finally {
      await stage.stop();
    }
  },
};

async function raceFor(
  field: ChatField,
  { stage, size, slots }: { stage: Stage; size: number; slots: number },
) {
  const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
  const { baseUrl } = stage;
  const askedOf = (index: number, waitAfter?: number) => ({
    keyId,
    model: field,
    isStream: false,
    script: {
      nonce: `${field}-${String(index).padStart(NONCE_DIGITS, "0")}`,
      promptTokens: TOKENS_USED_BEFORE - 1,
      completionTokens: 1,
      ...(waitAfter !== undefined && { waitAfter }),
    },
  });
  const made: Received[] = [];
  for (let index = 0; index < USED_BEFORE; index++) {
    made.push(await callGateway(askedOf(size + index), { baseUrl, key, maxTokens: 1 }));
  }
  const asked = Array.from({ length: size }, (_, index) => askedOf(index, 0));
  const first = asked[0] ?? askedOf(0, 0);
  const limit = USED_BEFORE + slots;
  await stage.admin.saveRateLimit(stage.projectId, field, {
    [field]: field === "max_tokens_per_1_minute" ? tokensOf(first, slots) : limit,
  });
  const refused: Received[] = [];
  const racing = await raceCalls(asked, { baseUrl, key, maxTokens: 1 });
  for (const call of racing) void call.then((received) => received.status === 429 && refused.push(received));
  const isDecided = async () => refused.length + (await stage.waiting()).length >= size;
  await until("all are decided", isDecided).finally(stage.letGo);
  made.push(...(await Promise.all(racing)));
  const wrong = refused.filter(({ text }) => !text.includes(`"code":"${field}"`));
  return {
    made,
    admitted: made.filter(({ isComplete }) => isComplete).length - USED_BEFORE,
    odd: wrong.map(({ text }) => `${field}: refused for another reason: ${text}`),
  };
}

/** Room for this many calls of three bytes a prompt token and one of output, and not for one token more. */
function tokensOf(call: Parameters<typeof requestBody>[0], slots: number): number {
  const each = Math.ceil(Buffer.byteLength(requestBody(call, 1)) / 3) + 1;
  return USED_BEFORE * TOKENS_USED_BEFORE + slots * each + each - 1;
}
