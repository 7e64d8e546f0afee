import { newId } from "@/lib/contract/ids";
import type { Caller } from "../../access/caller";
import { alreadyCharged } from "../../calls/answer-once";
import type { CallOfBatch } from "../../calls/requests/incoming-call";
import type { ClockAndRandom } from "../../clock";
import { internalError } from "../../http/response";
import { RequestContext } from "../../http/server";
import { formatIdempotencyScope } from "../../idempotency/idempotency";
import type { IdempotentCharges } from "../../idempotency/idempotent-replies.sql";
import { Refusal } from "../../refusal";
import type { BatchRecord } from "../batch-store.sql";
import {
  type BatchLine,
  describeLineCaller,
  type LineCallerContext,
  type LineKind,
  lineKinds,
} from "./batch-line";

/** A reply's JSON on one line, in pieces. Parsing one of many megabytes would delay every other call. */
export type LineBody = readonly Uint8Array[];

/** Answers a call in the same way as one from the network. */
export type AnswerCall = (
  requestContext: RequestContext,
  caller: Caller,
  kind: LineKind,
  line: CallOfBatch,
) => Promise<Response>;

export interface AnswerLineContext extends LineCallerContext {
  readonly answerCall: AnswerCall;
  readonly runtime: ClockAndRandom;
  logFault(where: string, error: unknown): void;
}

interface LineTry extends Pick<CallOfBatch, "noteAdmitted"> {
  /** How many of the line's calls have failed by a fault of the gateway. */
  readonly faults: number;
}

/** The answer to a line, or why its call is refused for now. */
export type LineAnswer =
  | { readonly status: number; readonly requestId: string; readonly body: LineBody }
  | { readonly refusal: Refusal; readonly retryAfterMs: number; readonly isOfProvider: boolean };

/**
 * How often a line is tried while its call fails by a fault of the gateway. If such a call was charged, its idempotency
 * key gets the stored reply the next time.
 */
const TRIES_AFTER_FAULT = 3;
const PRINTABLE = /^[ -~]{1,200}$/;

/** A line's idempotency key. */
function formatLineKey(batchId: string, line: number): string {
  return `${batchId}-${line}`;
}

/**
 * Makes a line's call, which is admitted, held, charged and logged like any other. Each line has its own idempotency
 * key: if it is repeated after a crash, it is charged only once and gets its first reply.
 */
export async function answerLine(
  context: AnswerLineContext,
  batch: BatchRecord,
  { number, customId, body }: BatchLine & { readonly number: number },
  { faults, noteAdmitted }: LineTry,
): Promise<LineAnswer> {
  const { answerCall, runtime } = context;
  const requestId = newId("req", runtime.clock.nowMs(), runtime.random);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "idempotency-key": formatLineKey(batch.id, number),
    "openai-project": batch.projectId,
    "user-agent": `gatehouse-batch/${batch.id}`,
    ...(PRINTABLE.test(customId) && { "x-client-request-id": customId }),
  };
  const request = new Request(`http://batch${batch.endpoint}`, { method: "POST", headers, body });
  const requestContext = new RequestContext(
    request,
    requestId,
    () => null,
    () => null,
  );
  try {
    const caller = describeLineCaller(context, batch);
    const response = await answerCall(requestContext, caller, lineKinds[batch.endpoint].kind, {
      batchId: batch.id,
      noteAdmitted,
    });
    const originalId = response.headers.get("original-request") ?? requestId;
    return { status: response.status, requestId: originalId, body: await readOneLine(response) };
  } catch (error) {
    const isFault = !(error instanceof Refusal);
    if (isFault) context.logFault(`line ${number} of ${batch.id}`, error);
    const refusal = isFault ? internalError(requestId) : error;
    const retryAfterMs = isFault ? findRetryAfterFault(faults) : findRetryAfter(refusal);
    if (retryAfterMs !== null) return { refusal, retryAfterMs, isOfProvider: isOfProvider(refusal) };
    // For a call that was charged before a crash, use its id, so that the batch counts the charge.
    const originalId = refusal.details.headers?.["original-request"] ?? requestId;
    return {
      status: refusal.status,
      requestId: originalId,
      body: [Buffer.from(JSON.stringify(refusal.body(requestId)))],
    };
  }
}

const SPACE = 32;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

async function readOneLine(response: Response): Promise<LineBody> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) pieces.push(onOneLine(piece));
  return pieces;
}

/** Replaces line ends in place. In JSON they stand only between values, where a space means the same. */
function onOneLine(piece: Uint8Array): Uint8Array {
  for (const end of [LINE_FEED, CARRIAGE_RETURN]) {
    for (let at = piece.indexOf(end); at >= 0; at = piece.indexOf(end, at + 1)) piece[at] = SPACE;
  }
  return piece;
}

/** Whether the provider itself refused, for all lines alike. */
function isOfProvider({ code }: Refusal): boolean {
  return code === "provider_error" || code === "provider_misconfigured";
}

/** Infinity where only a payment or a raised spend limit helps; null if a repetition would also be refused. */
function findRetryAfter({ status, code, details }: Refusal): number | null {
  if (status === 402) return Number.POSITIVE_INFINITY;
  // An administrator tops the account up, or replaces the key, while the batch's window lasts.
  if (code === "provider_misconfigured") return 0;
  const seconds = Number(details.headers?.["retry-after"]);
  const isTemporary = status === 429 || status >= 500 || code === "idempotency_in_progress";
  return Number.isFinite(seconds) && isTemporary ? Math.max(seconds, 1) * 1_000 : null;
}

/** Null once the line has been tried often enough. */
function findRetryAfterFault(faults: number): number | null {
  return faults + 1 < TRIES_AFTER_FAULT ? Number.POSITIVE_INFINITY : null;
}

export interface FormerAnswerContext {
  readonly idempotentCharges: IdempotentCharges;
}

/**
 * Finds what an earlier process did for a line: the answer that it charged; `under way` if its call has an open hold;
 * or null. A line that it charged has this answer even if its batch was canceled or its key revoked in the meantime.
 */
export async function findFormerAnswer(
  { idempotentCharges }: FormerAnswerContext,
  batch: BatchRecord,
  line: number,
): Promise<{ status: number; requestId: string; body: LineBody } | "under way" | null> {
  const idempotencyKey = {
    scope: formatIdempotencyScope(batch.projectId, batch.keyId),
    key: formatLineKey(batch.id, line),
  };
  // In this order: a call that ends between the two reads is found by the second.
  const isHeld = (await idempotentCharges.findUnderWay(idempotencyKey)) !== null;
  const storedCharge = await idempotentCharges.find(idempotencyKey, batch.createdAtMs - 1);
  if (!storedCharge) return isHeld ? "under way" : null;
  const { requestId, reply } = storedCharge;
  if (reply !== null) return { status: 200, requestId, body: [onOneLine(Buffer.from(reply))] };
  const refusal = alreadyCharged(storedCharge);
  const body = [Buffer.from(JSON.stringify(refusal.body(requestId)))];
  return { status: refusal.status, requestId, body };
}
