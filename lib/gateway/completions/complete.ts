import type { Admission } from "../admission/admission";
import type { CatalogueModel } from "../models/catalogue";
import type { PromptEstimate } from "../providers/prompt-size/estimate-prompt";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";
import { invalid, Refusal } from "../refusal";
import { answer } from "./answer";
import { type CallableModelContext, callableModel } from "./callable-model";
import { requestedMaxTokens } from "./chat-request";
import { completionHeaders } from "./completion-headers";
import { type AnswerContext, HeldCall } from "./held-call";
import { type LedgerContext, OpenHold } from "./open-hold";
import type { Order } from "./order";
import { promptReader } from "./prompt-reader";
import { openConnection, type ProviderConnection } from "./provider-connection";

export interface CompletionContext extends LedgerContext, AnswerContext, CallableModelContext {
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
  /** Where people see what became of a call. */
  readonly consoleUrl: string;
}

/**
 * Answers a chat request: admits it, makes its hold durable, calls the provider, and settles before the reply ends.
 * @throws Refusal whatever stands in the way, with the `x-ratelimit-*` headers once the model is known.
 */
export async function complete(context: CompletionContext, order: Order): Promise<Response> {
  const { exchange, request, projectId } = order;
  const model = callableModel(context, projectId, request.fields.model);
  let connection: ProviderConnection | null = null;
  try {
    const estimate = request.estimate(promptReader(context.directory, model));
    const prompt = estimate instanceof Promise ? await estimate : estimate;
    const admitted = admit(context, order, model, prompt);
    const { asked, admission } = admitted;
    connection = admitted.connection;
    const stream = request.fields.stream === true;
    const open = new OpenHold(context, admission, exchange.requestId, stream, order.takenKey);
    await open.placeHold();
    const isLowered = admission.maxOutputTokens < asked;
    return await answer(context, new HeldCall(context, order, model, open, connection, isLowered));
  } catch (error) {
    connection?.end();
    if (!(error instanceof Refusal)) throw error;
    const { status, type, code, message, details } = error;
    const headers = { ...completionHeaders(context, order, model), ...details.headers };
    const url = `${context.consoleUrl}/requests/${exchange.requestId}`;
    throw new Refusal(status, type, code, message, { ...details, url, headers });
  }
}

/** The place at a provider comes first: where there is none, nothing is counted. */
function admit(
  context: CompletionContext,
  { exchange, caller, request, projectId }: Order,
  model: CatalogueModel,
  prompt: PromptEstimate,
): { asked: number; admission: Admission; connection: ProviderConnection } {
  const { admissions, rateLimitMirror, funds, effects } = context;
  const requested = requestedMaxTokens(request.fields);
  if (requested !== null && requested > model.maxOutputTokens) {
    const field = request.fields.max_tokens ? "max_tokens" : "max_completion_tokens";
    throw invalid(field, `${field} must be at most ${model.maxOutputTokens}, the most ${model.id} writes.`);
  }
  const { keyId } = caller;
  const { price, rate } = model;
  if (!price) throw new TypeError("A model without a price is not callable");
  const asked = requested ?? roomForOutput(model, prompt);
  const expectedOutputTokens = Math.min(requested ?? model.usualOutputTokens, asked);
  const choices = request.fields.n ?? 1;
  let connection: ProviderConnection | null = null;
  try {
    connection = openConnection(context, model.routes, { projectId, keyId });
    const admission = admissions.admit({
      projectId,
      keyId,
      model: model.id,
      limits: rateLimitMirror.limitsOf(projectId, model),
      price: { inputPer1m: price.inputPer1m, outputPer1m: price.outputPer1m, rate },
      ...prompt,
      maxOutputTokens: asked,
      expectedOutputTokens,
      choices,
    });
    return { asked, admission, connection };
  } catch (error) {
    connection?.end();
    if (error instanceof Refusal) {
      const stream = request.fields.stream === true;
      const refusedBy = error.code === "insufficient_balance" ? "balance" : error.code;
      const estimatedTokens = prompt.countedPromptTokens + expectedOutputTokens * choices;
      const { requestId } = exchange;
      const known = { requestId, projectId, keyId, model: model.id, stream, refusedBy, estimatedTokens };
      const { status } = error;
      funds.logRefusal({ ...known, atMs: effects.clock.nowMs(), status, facts: error.facts() });
    }
    throw error;
  }
}

/** The most output of a call that names none: what the model writes, as far as it fits behind the prompt where that is known. */
function roomForOutput(
  { contextWindow, maxOutputTokens, usualOutputTokens }: CatalogueModel,
  prompt: PromptEstimate,
) {
  if (contextWindow === null) return maxOutputTokens;
  const room = Math.max(contextWindow - prompt.promptTokens, usualOutputTokens);
  return Math.min(maxOutputTokens, room);
}
