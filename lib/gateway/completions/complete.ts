import type { Admission } from "../admission/admission";
import { rateLimitHeaders } from "../admission/rate-limit-headers";
import type { Caller } from "../auth/caller";
import type { CatalogueModel } from "../models/catalogue";
import { invalid, Refusal } from "../ports/refusal";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";
import { answer } from "./answer";
import type { CallRequest } from "./call-request";
import { type CallableModelContext, callableModel } from "./callable-model";
import type { TakenKey } from "./calls-under-way";
import { requestedMaxTokens } from "./chat-request";
import type { PromptEstimate } from "./estimate-prompt";
import type { AnswerContext } from "./held-call";
import { type LedgerContext, OpenCall } from "./open-call";
import { openConnection, type ProviderConnection } from "./provider-connection";

export interface CompletionContext extends LedgerContext, AnswerContext, CallableModelContext {
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
  /** Where people see what became of a call. */
  readonly consoleUrl: string;
}

/** A chat request whose caller may make it. */
export interface CompletionCall {
  readonly requestId: string;
  readonly projectId: string;
  readonly keyId: string;
  /** The key or session that asked. */
  readonly callerId: string;
  readonly permissionsIn: Caller["permissionsIn"];
  readonly request: CallRequest;
  /** Aborts when the client goes away. */
  readonly clientSignal: AbortSignal;
  /** Told when a streamed reply has come to its end. */
  readonly streamEnds?: () => void;
  /** Where it came with an idempotency key. */
  readonly takenKey?: TakenKey;
}

/**
 * Answers a chat request: admits it, makes its hold durable, calls the provider, and settles before the reply ends.
 * @throws Refusal whatever stands in the way, with the `x-ratelimit-*` headers once the model is known.
 */
export async function complete(context: CompletionContext, call: CompletionCall): Promise<Response> {
  const { requestId, request, projectId } = call;
  const model = callableModel(context, projectId, request.fields.model);
  const limits = context.rateLimitMirror.limitsOf(projectId, model);
  const replyHeaders = () => {
    const windows = context.admissions.windowsOf(projectId, model.id);
    return { "x-request-id": requestId, ...rateLimitHeaders(limits, windows, context.admissions.now()) };
  };
  let connection: ProviderConnection | null = null;
  try {
    const admitted = admit(context, call, model, await request.estimate(model));
    const { asked, admission } = admitted;
    connection = admitted.connection;
    const stream = request.fields.stream === true;
    const open = new OpenCall(context, admission, requestId, stream, call.takenKey);
    await open.placeHold();
    const isLowered = admission.maxOutputTokens < asked;
    return await answer(context, {
      open,
      body: (name, outputLimitField) =>
        request.upstream({ model: name, maxTokens: admission.maxOutputTokens, outputLimitField }),
      routes: model.routes,
      connection,
      callerId: call.callerId,
      permissionsIn: call.permissionsIn,
      isSandbox: model.sandbox,
      wantsUsage: request.fields.stream_options?.include_usage === true,
      clientSignal: call.clientSignal,
      streamEnds: call.streamEnds,
      headers: () => ({
        ...replyHeaders(),
        ...(isLowered && { "x-gatehouse-max-tokens": String(admission.maxOutputTokens) }),
      }),
    });
  } catch (error) {
    connection?.end();
    if (!(error instanceof Refusal)) throw error;
    const { status, type, code, message, details } = error;
    const headers = { ...replyHeaders(), ...details.headers };
    const url = `${context.consoleUrl}/requests/${requestId}`;
    throw new Refusal(status, type, code, message, { ...details, url, headers });
  }
}

/** The place at a provider comes first: where there is none, nothing is counted. */
function admit(
  context: CompletionContext,
  { requestId, request, projectId, keyId }: CompletionCall,
  model: CatalogueModel,
  prompt: PromptEstimate,
): { asked: number; admission: Admission; connection: ProviderConnection } {
  const { admissions, rateLimitMirror, funds, effects } = context;
  const requested = requestedMaxTokens(request.fields);
  if (requested !== null && requested > model.maxOutputTokens) {
    const field = request.fields.max_tokens ? "max_tokens" : "max_completion_tokens";
    throw invalid(field, `${field} must be at most ${model.maxOutputTokens}, the most ${model.id} writes.`);
  }
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
      price: { ...price, rate },
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
