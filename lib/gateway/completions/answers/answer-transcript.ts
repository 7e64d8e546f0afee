import type { PriceUnit } from "@/lib/contract/model-families";
import { joinPieces } from "../../http/body-reader";
import { respondWith } from "../../http/known-response";
import { parseBounded } from "../../http/parse-bounded";
import type { ProviderReply } from "../../providers/provider-client";
import { BinaryReplyRecorder } from "../replies/binary-reply-recorder";
import { textOf } from "../replies/completion-facts";
import { partsOf } from "../requests/transcription-request";
import { providerFailed } from "../upstream/provider-failure";
import { answerBytes } from "./answer-bytes";
import type { AnswerContext, Completion } from "./completion";
import { readBounded } from "./provider-reply";

const MAX_BYTES = 4 * 1024 * 1024;
/** Longer than any recording. */
const MAX_SECONDS = 7 * 24 * 3_600;
const JSON_TYPE = /^application\/json\b/i;
const TEXT_TYPE = /^(text\/(plain|vtt|srt)|application\/(x-)?subrip)\b/i;

/**
 * Charges the duration of a recording, then forwards its transcript unchanged. A streamed transcript is forwarded as it
 * arrives.
 * @throws Refusal 502 or 504.
 */
export async function answerTranscript(
  reply: ProviderReply,
  call: Completion,
  context: Pick<AnswerContext, "logFault">,
): Promise<Response> {
  const contentType = reply.header("content-type") ?? "";
  if (call.open.stream && contentType.includes("event-stream")) return answerBytes(reply, call, context);
  const { connection, open } = call;
  try {
    const progress = () => connection.progress();
    const bytes = joinPieces(await readBounded(reply, MAX_BYTES, { progress, makeRoom: () => null }));
    connection.end();
    open.firstByteCame();
    const seconds = secondsIn(contentType, bytes);
    connection.noteSuccess();
    await settle(call, seconds, stored(call, contentType, bytes));
    call.incoming.capture?.answered([bytes]);
    return respondWith([bytes], { headers: call.headers(contentType) });
  } catch (error) {
    const failure = connection.failureOf(error);
    if (!open.isEnded) connection.noteFailure(failure);
    throw failure;
  }
}

/** Returns the duration that a transcript reports; null if it reports none. @throws Error for anything but a transcript. */
function secondsIn(contentType: string, bytes: Uint8Array): number | null {
  if (TEXT_TYPE.test(contentType)) return null;
  if (!JSON_TYPE.test(contentType))
    throw providerFailed(`It answered with ${contentType} instead of a transcript`);
  const { text, duration, usage } = parseBounded(textOf(bytes)) as Record<
    "text" | "duration" | "usage",
    unknown
  >;
  if (typeof text !== "string") throw providerFailed("Its transcript has no text");
  const used = (usage ?? {}) as { type?: unknown; seconds?: unknown };
  return plausible(used.type === "duration" ? used.seconds : duration);
}

/** Parses a number of seconds, which some servers write as text. */
function plausible(value: unknown): number | null {
  const seconds = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
}

async function settle({ open }: Completion, seconds: number | null, reply: string | undefined) {
  const { price, units } = open.admission.request;
  const isReported = seconds !== null && price.perUnit !== undefined;
  const used = isReported ? partsOf(price.perUnit?.unit as PriceUnit, seconds) : units;
  const usage = { promptTokens: 0, completionTokens: 0, units: used };
  const basis = isReported ? "reported" : "estimated";
  await open.settle(usage, basis, { outcome: "completed", status: 200 }, reply);
}

function stored({ open }: Completion, contentType: string, bytes: Uint8Array): string | undefined {
  if (!open.idempotencyLock) return undefined;
  const recorder = new BinaryReplyRecorder();
  recorder.add(bytes);
  return recorder.toStored(contentType);
}
