import { setTimeout } from "node:timers/promises";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import { formatAmount } from "@/lib/money/amount";
import type { Caller } from "../access/caller";
import type { ClockAndRandom } from "../clock";
import { formatEvent } from "../http/event-splitter";
import { type Dialect, internalError, refusalBody, respondWith } from "../http/response";
import type { RequestContext } from "../http/server";
import {
  formatIdempotencyScope,
  IDEMPOTENCY_MS,
  type Idempotency,
  type IdempotencyLocks,
  idempotencyConflict,
  inProgress,
  refused,
  refuseMalformedKey,
  TakenElsewhere,
} from "../idempotency/idempotency";
import type { IdempotentCharge, IdempotentCharges } from "../idempotency/idempotent-replies.sql";
import type { BackgroundAnswers } from "../prompts/conversations/background-answers";
import { missingPermission, Refusal } from "../refusal";
import { writeEvent } from "./anthropic/message-blocks";
import { readStoredBytes } from "./replies/reply-client";
import type { IncomingCall } from "./requests/incoming-call";
import type { PreparedRequest } from "./requests/prepared-request";

/** Between two looks whether another process has ended the call with a key. */
const FIRST_WAIT_MS = 10;
const LAST_WAIT_MS = 250;

export interface OnceContext {
  readonly runtime: ClockAndRandom;
  readonly idempotencyLocks: IdempotencyLocks;
  readonly idempotentCharges: IdempotentCharges;
}

/**
 * A call's idempotency key, which is specific to its caller and project; null without one.
 * @throws Refusal 400 for a malformed key.
 */
export function readIdempotency(
  key: string | null,
  { projectId, callerId }: { projectId: string; callerId: string },
  bodyHash: string | null,
): Idempotency | null {
  refuseMalformedKey(key);
  if (key === null || bodyHash === null) return null;
  return { scope: formatIdempotencyScope(projectId, callerId), key, bodyHash };
}

/**
 * Answers a request, and with an idempotency key only once in 24 hours, even if its client leaves. A repeat waits for
 * the first call, and gets its reply with `idempotency-replayed: true` and the first request's id as
 * `original-request`. A first call that cost nothing and made no task is not remembered.
 * @throws Refusal as `answer`, and 409 where the key belongs to another body or to a charge without a complete reply.
 */
export function answerOnce<Request extends PreparedRequest>(
  context: OnceContext,
  incoming: IncomingCall<Request>,
  answer: (incoming: IncomingCall<Request>) => Promise<Response>,
): Promise<Response> {
  const { idempotency } = incoming;
  return idempotency ? answerIdempotently(context, { ...incoming, idempotency }, answer) : answer(incoming);
}

async function answerIdempotently<Request extends PreparedRequest>(
  context: OnceContext,
  incoming: IncomingCall<Request> & { readonly idempotency: Idempotency },
  answer: (incoming: IncomingCall<Request>) => Promise<Response>,
): Promise<Response> {
  const { idempotency } = incoming;
  const idempotencyLock = await context.idempotencyLocks.acquire(
    idempotency,
    incoming.requestContext.clientSignal,
  );
  try {
    incoming.refuseEndedAccess();
    for (;;) {
      const sinceMs = context.runtime.clock.nowMs() - IDEMPOTENCY_MS;
      // The only store read on a call's path, besides run-as and background answers: the store alone knows all keys of
      // the last 24 hours, including those from before a restart. A new key costs 55 µs of CPU here; keeping them all
      // in memory would cost more.
      const stored = await context.idempotentCharges.find(idempotency, sinceMs);
      if (stored) return replay(stored, incoming, idempotency);
      try {
        return await answer({ ...incoming, idempotencyLock });
      } catch (error) {
        if (!(error instanceof TakenElsewhere)) throw error;
      }
      await waitForOther(context, incoming);
      incoming.refuseEndedAccess();
    }
  } finally {
    if (!idempotencyLock.endsWithHold) idempotencyLock.release();
  }
}

/**
 * Waits until the call of another process that has the key is over.
 * @throws Refusal 409 for another body, or once the client is gone.
 */
async function waitForOther(
  { idempotentCharges }: OnceContext,
  { idempotency, requestContext }: IncomingCall & { readonly idempotency: Idempotency },
): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
    const other = await idempotentCharges.findUnderWay(idempotency);
    if (!other) return;
    if (other.bodyHash !== idempotency.bodyHash) throw idempotencyConflict();
    await setTimeout(waitMs);
    if (requestContext.clientSignal.aborted) throw inProgress();
  }
}

function replay(
  stored: IdempotentCharge,
  { requestContext, request, capture }: IncomingCall,
  { bodyHash }: Idempotency,
): Response {
  if (stored.bodyHash !== bodyHash) throw idempotencyConflict();
  if (stored.reply === null) throw alreadyCharged(stored);
  // The body of the first call is already stored.
  capture?.discard();
  const bytes = readStoredBytes(stored.reply);
  const type = request.fields.stream === true ? "text/event-stream" : "application/json";
  return respondWith([bytes?.bytes ?? Buffer.from(stored.reply)], {
    headers: {
      "content-type": bytes?.contentType ?? type,
      "cache-control": "no-cache",
      "x-request-id": requestContext.requestId,
      "idempotency-replayed": "true",
      "original-request": stored.requestId,
    },
  });
}

/** A 409: the reply of a charged call is not stored. */
export function alreadyCharged({ requestId, charge }: IdempotentCharge): Refusal {
  const message = `The first call with this Idempotency-Key, ${requestId}, was charged ${formatAmount(charge)}, and its reply was cut short or too long to keep. Send a new key to call, and pay, again.`;
  return refused("idempotency_charged", message, {
    "x-should-retry": "false",
    "original-request": requestId,
  });
}

interface BackgroundAnswerContext {
  readonly backgroundAnswers: BackgroundAnswers;
}

/**
 * Answers a call. If the caller requested it in a header, the call continues when its client disconnects, and its reply
 * is stored.
 * @throws Refusal 403 if the caller may not use the playground.
 */
export function answerInBackground(
  context: BackgroundAnswerContext,
  requestContext: RequestContext,
  caller: Caller,
  dialect: Dialect,
  answer: () => Promise<Response>,
): Promise<Response> {
  const header = requestContext.request.headers.get(KEEP_ANSWER_HEADER);
  if (header === null) return answer();
  return answerAndStore(context, requestContext, caller, { header, dialect }, answer);
}

async function answerAndStore(
  { backgroundAnswers }: BackgroundAnswerContext,
  requestContext: RequestContext,
  caller: Caller,
  { header, dialect }: { readonly header: string; readonly dialect: Dialect },
  answer: () => Promise<Response>,
): Promise<Response> {
  if (caller.kind === "project_key" || !caller.holdsAnywhere("api.playground.write"))
    throw missingPermission("api.playground.write");
  const backgroundAnswer = await backgroundAnswers.begin(header, caller.keyId, requestContext.requestId);
  requestContext.outliveClient(backgroundAnswer.signal);
  try {
    return backgroundAnswer.store(await answer(), () =>
      backgroundAnswer.isShutDown ? writeShutDown(requestContext.requestId, dialect) : "",
    );
  } catch (error) {
    const refusal = error instanceof Refusal ? error : internalError(requestContext.requestId);
    const visible = refusal.asSeenBy(caller.permissionsIn);
    backgroundAnswer.recordRefusal(
      visible.status,
      JSON.stringify(refusalBody(visible, requestContext.requestId, dialect)),
    );
    throw error;
  }
}

/** The event that ends the stream of an answer which the end of the process stops. */
function writeShutDown(requestId: string, dialect: Dialect): string {
  const message =
    "The gateway stopped before the answer's end. What came until then is charged. Send the call again.";
  const body = refusalBody(new Refusal(500, "service_error", "internal_error", message), requestId, dialect);
  return dialect === "anthropic" ? writeEvent("error", body as object) : formatEvent(body).toString();
}
