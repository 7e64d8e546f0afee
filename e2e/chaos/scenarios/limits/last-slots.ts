import { parseChatRequest } from "@/lib/gateway/calls/requests/chat-request";
import { parseJsonObject } from "@/lib/gateway/http/json";
import { estimatePrompt } from "@/lib/gateway/providers/prompt-size/estimate-prompt";
import { PromptRatios } from "@/lib/gateway/providers/prompt-size/text-tokens";
import { reconcile } from "../../books/reconcile";
import { type ClientCall, callGateway, type Received, requestBody } from "../../clients/call-gateway";
import { raceHeldCalls } from "../../clients/race-held-calls";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";
import { type ChatField, chatFields } from "../../serve-limit-gateway";
import { type AnyStage, PLAIN_MODEL, type StartStage, startFaultStage } from "../../start-stage";

const USED_BEFORE = 7;
const TOKENS_USED_BEFORE = 12;
const NONCE_DIGITS = 6;

export const lastSlots: Scenario = {
  name: "last-slots",
  does: "{size} calls race for the last tenth as many slots of each limit",
  full: 1_000,
  smoke: 100,
  run: (order) => raceForLastSlots(order, startFaultStage),
};

export async function raceForLastSlots(
  { size }: ScenarioOrder,
  start: StartStage,
  fields: readonly ChatField[] = chatFields,
): Promise<Outcome> {
  const models = fields.map((field) => ({ ...PLAIN_MODEL, id: field }));
  const stage = await start({ models });
  const figures: Record<string, number> = {};
  const faults: string[] = [];
  const calls: Received[] = [];
  try {
    for (const field of fields) {
      const slots = size / 10;
      const { made, admitted, odd } = await raceFor(field, { stage, size, slots });
      calls.push(...made);
      figures[field] = admitted;
      if (admitted !== slots) faults.push(`${field}: ${admitted} were admitted, ${slots} had room`);
      faults.push(...odd);
    }
    const books = reconcile({ calls, invoices: stage.invoices(), ledger: await stage.ledger(), models });
    return { faults: [...faults, ...books.faults], figures: { ...books.figures, ...figures } };
  } finally {
    await stage.stop();
  }
}

async function raceFor(
  field: ChatField,
  { stage, size, slots }: { stage: AnyStage; size: number; slots: number },
) {
  const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
  const clientCall = (index: number, waitAfter?: number): ClientCall => ({
    keyId,
    model: field,
    isStream: false,
    maxTokens: 1,
    script: {
      nonce: `${field}-${String(index).padStart(NONCE_DIGITS, "0")}`,
      promptTokens: TOKENS_USED_BEFORE - 1,
      completionTokens: 1,
      ...(waitAfter !== undefined && { waitAfter }),
    },
  });
  const made: Received[] = [];
  // Each gateway has seen as many prompts before.
  for (const baseUrl of stage.baseUrls) {
    for (let index = 0; index < USED_BEFORE; index++)
      made.push(await callGateway(clientCall(size + made.length), { baseUrl, key }));
  }
  const room =
    field === "max_tokens_per_1_minute"
      ? made.length * TOKENS_USED_BEFORE +
        countTokens({ before: clientCall(0), asked: clientCall(0, 0) }, slots)
      : made.length + slots;
  await stage.admin.saveRateLimit(stage.projectId, field, { [field]: room });
  const asked = Array.from({ length: size }, (_, index) => clientCall(index, 0));
  const { received, refused } = await raceHeldCalls(stage, asked, 429);
  const wrong = refused.filter(({ text }) => !text.includes(`"code":"${field}"`));
  return {
    made: [...made, ...received],
    admitted: received.filter(({ isComplete }) => isComplete).length,
    odd: wrong.map(({ text }) => `${field}: refused for another reason: ${text}`),
  };
}

/**
 * What fits exactly this many calls, each with one token of output, and leaves one token too few for another:
 * prompts count as estimated while there is room for that, and the last ones by what former calls have shown.
 */
function countTokens({ before, asked }: { before: ClientCall; asked: ClientCall }, slots: number): number {
  const estimated = estimate(asked);
  const ratios = new PromptRatios();
  for (let index = 0; index < USED_BEFORE; index++)
    ratios.learn(asked.model, estimate(before), TOKENS_USED_BEFORE - 1);
  const finer = (ratios.bound(asked.model, estimated) ?? estimated) + 1;
  const finerSlots = Math.min(slots, Math.floor(estimated / finer) - 1);
  const room = (slots - finerSlots) * (estimated + 1) + finerSlots * finer;
  return room + finer - 1;
}

function estimate(asked: ClientCall): number {
  const request = parseChatRequest(parseJsonObject(Buffer.from(requestBody(asked)), { entries: 1_000 }));
  return estimatePrompt(request, null).promptTokens;
}
