import {
  type CarriedMeasure,
  carriedMeasures,
  type RateLimitField,
  rateLimitFields,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { MAX_CALL_MS, MAX_TASK_MS } from "@/lib/contract/durations";
import { deriveId } from "@/lib/contract/ids";
import { ZERO } from "@/lib/money/amount";
import { atPriorityRate, type PriceSnapshot, type ReportedUsage } from "@/lib/money/charge";
import { TakenElsewhere } from "../../idempotency/idempotency";
import type { HoldDraft } from "../../ledger/funds";
import type { CatalogueModel } from "../../models/catalogue";
import { DEFAULT_CONTEXT_WINDOW, type PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { type Encoding, findEncoding } from "../../providers/prompt-size/find-encoding";
import { estimateTextTokens, MAX_RATIO, PromptRatios } from "../../providers/prompt-size/text-tokens";
import { TokenCounter } from "../../providers/prompt-size/token-counter";
import {
  type AdmissionRequest,
  type DecidedCall,
  MODEST_OUTPUT_TOKENS,
  NotAdmitted,
} from "../../rate-limits/admissions";
import type { RateLimitCache } from "../../rate-limits/rate-limits";
import { Refusal, storeUnavailable } from "../../refusal";
import { readMaxTokens } from "../requests/chat-request";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest, RequestEstimate } from "../requests/prepared-request";
import { findMostOutput } from "../requests/upstream-request";
import { type CallToHold, HeldCall, type HoldContext } from "./held-call";

/** Counts the prompt of a call finer. */
type CountFiner = () => Promise<AdmissionRequest>;

/** Whether a call was refused by what its prompt was estimated at. */
export function isRefusedByTokens(refusal: Refusal | null): boolean {
  const field = refusal?.code as RateLimitField | undefined;
  return refusal instanceof NotAdmitted && rateLimitFields.some((one) => one === field && countsTokens(one));
}

const countsTokens = (field: RateLimitField) => rateLimitTable[field].counts === "tokens";

/** A call before it is admitted, whose prompt is counted finer at most once. */
class AskedCall<Answer> {
  constructor(
    private readonly admissions: { admit(request: AdmissionRequest): Answer | Promise<Answer> },
    private request: AdmissionRequest,
    private finer: CountFiner | undefined,
  ) {}

  async countFiner(): Promise<void> {
    const { finer } = this;
    this.finer = undefined;
    if (finer) this.request = await finer();
  }

  admit(): Answer | Promise<Answer> {
    if (!this.finer) return this.admissions.admit(this.request);
    try {
      const answer = this.admissions.admit(this.request);
      return answer instanceof Promise ? answer.catch((error) => this.#admitFiner(error)) : answer;
    } catch (error) {
      return this.#admitFiner(error);
    }
  }

  async #admitFiner(error: unknown): Promise<Answer> {
    if (!(error instanceof Refusal) || !isRefusedByTokens(error)) throw error;
    await this.countFiner();
    return this.admissions.admit(this.request);
  }
}

/**
 * Admits a call and makes its hold durable, or takes nothing. The provider may be called once this has resolved. Where
 * the store doesn't cover the hold because another process was faster, the call is admitted once more with the
 * remaining balance.
 * @throws NotAdmitted 402, 409, 429 or 503.
 */
export async function admitAndHold(
  context: HoldContext,
  request: AdmissionRequest,
  call: CallToHold,
  countFiner?: CountFiner,
): Promise<HeldCall> {
  const { admissions, funds, runtime, heldCalls } = context;
  if (admissions.place) return placeAtOnce(context, request, call, countFiner);
  const asked = new AskedCall(admissions, request, countFiner);
  const isTight = countFiner !== undefined && admissions.isTight(request);
  if (isTight instanceof Promise ? await isTight : isTight) await asked.countFiner();
  for (let isFirst = true; ; isFirst = false) {
    const answer = asked.admit();
    const admission = answer instanceof Promise ? await answer : answer;
    const heldAtMs = runtime.clock.monotonicMs();
    const draft = draftHold(admission, call, runtime.clock.nowMs());
    try {
      const outcome = await funds.placeHold(draft, call.task);
      if (outcome === "repeated") throw new TakenElsewhere();
      if (outcome === "taken over") throw storeUnavailable();
      if (outcome === "placed") {
        if (call.task) await admissions.leave(admission, call.requestId);
        else call.idempotencyLock?.passToHold();
        const hold = new HeldCall(context, admission, draft, call, heldAtMs);
        // The task's worker ends its hold.
        if (!call.task) heldCalls.add(hold);
        return hold;
      }
      if (!isFirst) throw admissions.notCovered(admission);
    } catch (error) {
      await admissions.release(admission, { sent: false });
      throw error instanceof Refusal
        ? new NotAdmitted(error, admission.rateLimits, admission.checkFigures)
        : error;
    }
    await admissions.release(admission, { sent: false });
  }
}

/** The same where the store decides about both in one statement. */
async function placeAtOnce(
  context: HoldContext,
  request: AdmissionRequest,
  call: CallToHold,
  countFiner: CountFiner | undefined,
): Promise<HeldCall> {
  const { admissions, runtime, heldCalls } = context;
  const placement = {
    draft: (decided: DecidedCall, nowMs: number) => draftHold(decided, call, nowMs),
    task: call.task,
    recheck: call.recheck,
  };
  const admit = async (asked: AdmissionRequest) => admissions.place?.(asked, placement);
  const asked = new AskedCall({ admit }, request, countFiner);
  if (countFiner !== undefined && (await admissions.isTight(request))) await asked.countFiner();
  const placed = await asked.admit();
  if (!placed) throw new TypeError("These admissions place no holds");
  const { admission, draft } = placed;
  if (call.task) await admissions.leave(admission, call.requestId);
  else call.idempotencyLock?.passToHold();
  const hold = new HeldCall(context, admission, draft, call, runtime.clock.monotonicMs());
  if (!call.task) heldCalls.add(hold);
  return hold;
}

function toCarried(request: AdmissionRequest): HoldDraft["carried"] {
  let carried: Partial<Record<CarriedMeasure, number>> | undefined;
  for (const measure of carriedMeasures) {
    const amount = request[measure];
    if (amount) (carried ??= {})[measure] = amount;
  }
  return carried;
}

function draftHold(
  { request, holdAmount, maxOutputTokens }: DecidedCall,
  { requestId, idempotencyLock, task, batchId }: CallToHold,
  createdAtMs: number,
): HoldDraft {
  const { projectId, keyId, model, promptTokens, price, choices, units } = request;
  return {
    id: deriveId("hold", requestId),
    requestId,
    amount: holdAmount,
    projectId,
    keyId,
    model,
    promptTokens,
    maxCompletionTokens: maxOutputTokens * choices,
    price,
    createdAtMs,
    deadlineAtMs: createdAtMs + (task ? MAX_TASK_MS : MAX_CALL_MS),
    units,
    taskId: task?.id,
    batchId,
    carried: toCarried(request),
    idempotency: idempotencyLock?.idempotency,
  };
}

/** What a call asked for, with the limits and the price that hold now: others change them while it waits. */
export function atPresentTerms(
  { rateLimitCache }: DescribeContext,
  asked: AdmissionRequest,
  model: CatalogueModel,
): AdmissionRequest {
  const price = asked.isPriority ? findPrioritySnapshot(model) : findSnapshot(model);
  return { ...asked, limits: rateLimitCache.effectiveLimits(asked.projectId, model), price };
}

const openEnded = { isOpenEnded: true } as const;

export interface DescribeContext {
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
}

/** Describes a call for admission. */
export function describeForAdmission(
  { rateLimitCache }: DescribeContext,
  { caller, request, projectId }: Pick<IncomingCall<CompletionRequest>, "caller" | "request" | "projectId">,
  model: CatalogueModel,
  estimate: RequestEstimate,
): AdmissionRequest {
  const requested = readMaxTokens(request.fields);
  const isChat = request.endpoint === "chat/completions";
  const maxOutputTokens = estimate.holdsWholeOutput
    ? (model.maxOutputTokens ?? MODEST_OUTPUT_TOKENS)
    : isChat
      ? findMostOutput(model, requested, estimate.promptTokens)
      : 0;
  return {
    projectId,
    keyId: caller.keyId,
    model: model.id,
    limits: rateLimitCache.effectiveLimits(projectId, model),
    price: estimate.isPriority ? findPrioritySnapshot(model) : findSnapshot(model),
    ...estimate,
    contextTokens: model.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    maxOutputTokens,
    expectedOutputTokens: Math.min(requested ?? model.typicalOutputTokens, maxOutputTokens),
    ...(isChat && requested === null && openEnded),
    choices: request.fields.n ?? 1,
  };
}

/** The catalogue replaces a model's object whenever its price or rate changes. */
const snapshots = new WeakMap<CatalogueModel, PriceSnapshot>();

/** @throws TypeError for a model without a price, which is not callable. */
function findSnapshot(model: CatalogueModel): PriceSnapshot {
  const cached = snapshots.get(model);
  if (cached) return cached;
  const snapshot = { ...pickPrices(model), rate: model.rate };
  snapshots.set(model, snapshot);
  return snapshot;
}

const prioritySnapshots = new WeakMap<CatalogueModel, PriceSnapshot>();

function findPrioritySnapshot(model: CatalogueModel): PriceSnapshot {
  const cached = prioritySnapshots.get(model);
  if (cached) return cached;
  const snapshot = atPriorityRate(findSnapshot(model));
  prioritySnapshots.set(model, snapshot);
  return snapshot;
}

function pickPrices({ price, unitPrice, audioPrice }: CatalogueModel): Omit<PriceSnapshot, "rate"> {
  if (price) {
    return { ...price, ...(audioPrice && { audio: audioPrice }) };
  }
  if (!unitPrice) throw new TypeError("A model without a price is not callable");
  return { inputPer1m: ZERO, outputPer1m: ZERO, perUnit: { unit: unitPrice.unit, amount: unitPrice.amount } };
}

/** What surrounds a message, and the answer that is to follow, in OpenAI's form. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_AROUND = 3;
const TOKENIZER_MARGIN = 1.02;

/**
 * Counts prompts finer than by their bytes, where the coarse bound would refuse calls for money that is there. What a
 * prompt has beyond that is lost to the operator, as any cost beyond a hold.
 */
export class PromptCounter {
  readonly #ratios = new PromptRatios();
  readonly #counter: TokenCounter;

  /** @param logFault receives the reason why the thread of the tokenizers ended. */
  constructor(logFault: (reason: string) => void, counter = new TokenCounter(logFault)) {
    this.#counter = counter;
  }

  /** Remembers what a provider has counted for a prompt. */
  learn(request: AdmissionRequest, { promptTokens }: ReportedUsage): void {
    if (!request.isTextAlone) return;
    this.#ratios.learn(request.model, request.estimatedPromptTokens ?? request.promptTokens, promptTokens);
  }

  /**
   * A request with its prompt counted finer: by the model's own tokenizer where that is known, else by what its calls
   * have shown, and before any by its texts alone.
   */
  async count(
    model: Pick<CatalogueModel, "routes">,
    request: Pick<CompletionRequest, "promptTexts">,
    coarse: AdmissionRequest,
  ): Promise<AdmissionRequest> {
    // A prompt with other parts keeps its bounds, such as the model's window for a file.
    if (!coarse.isTextAlone) return coarse;
    const prompt = request.promptTexts?.();
    if (prompt === null) return coarse;
    const { promptTokens, maxPromptTokens = promptTokens } = coarse;
    const tokens =
      (await this.#tokenize(model, prompt)) ??
      this.#ratios.bound(coarse.model, promptTokens) ??
      estimateTexts(prompt, promptTokens);
    const finer = Math.min(maxPromptTokens, tokens);
    const likely = Math.min(promptTokens, finer);
    return {
      ...coarse,
      estimatedPromptTokens: promptTokens,
      promptTokens: likely,
      countedPromptTokens: likely,
      maxPromptTokens: finer,
    };
  }

  close(): void {
    this.#counter.close();
  }

  async #tokenize(
    { routes }: Pick<CatalogueModel, "routes">,
    prompt: PromptTexts | undefined,
  ): Promise<number | null> {
    const encoding = findCommonEncoding(routes);
    if (!encoding || !prompt) return null;
    const tokens = await this.#counter.count(encoding, prompt.texts);
    return tokens === null ? null : Math.ceil(tokens * TOKENIZER_MARGIN) + countAround(prompt);
  }
}

/** The tokenizer of all that may answer; null where one of them isn't known, or they differ. */
function findCommonEncoding(routes: CatalogueModel["routes"]): Encoding | null {
  const encodings = new Set(routes.map(({ model }) => findEncoding(model)));
  const [encoding = null] = encodings;
  return encodings.size === 1 ? encoding : null;
}

function estimateTexts(prompt: PromptTexts | undefined, promptTokens: number): number {
  if (!prompt) return Math.ceil(promptTokens * MAX_RATIO);
  const tokens = prompt.texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
  return Math.ceil(tokens * MAX_RATIO) + countAround(prompt);
}

function countAround({ messages }: PromptTexts): number {
  return messages === 0 ? 0 : messages * TOKENS_PER_MESSAGE + TOKENS_AROUND;
}
