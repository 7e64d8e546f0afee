import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { DAY_S } from "@/lib/contract/durations";
import { joinPieces } from "../../http/body-reader";
import { respondWith } from "../../http/known-response";
import type { ServerReply } from "../../http/outbound/server-reply";
import { parseBounded } from "../../http/parse-bounded";
import { providerFailed } from "../../providers/provider-failure";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { BinaryReplyRecorder } from "../replies/binary-reply-recorder";
import { decodeText } from "../replies/completion-facts";
import { toMillionths } from "../requests/transcription-request";
import { computeTranscriptUsage, readTranscriptTokens } from "../usage/compute-transcript-usage";
import type { ReportedFigures } from "../usage/read-usage";
import type { ResolvedUsage } from "../usage/resolve-usage";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { answerBytes } from "./answer-bytes";
import { readBounded } from "./fetch-reply";

const MAX_BYTES = 4 * 1024 * 1024;
/** No recording is longer. */
const MAX_SECONDS = 7 * DAY_S;
const JSON_TYPE = /^application\/json\b/i;
const TEXT_TYPE = /^(text\/(plain|vtt|srt)|application\/(x-)?subrip)\b/i;

/**
 * Charges the duration of a recording, or its tokens, then forwards its transcript unchanged. A streamed transcript is
 * forwarded as it arrives.
 * @throws Refusal 502 or 504.
 */
export async function answerTranscript(
  reply: ServerReply,
  call: AdmittedCall,
  context: Pick<AnswerContext, "logFault">,
): Promise<Response> {
  const contentType = reply.header("content-type") ?? "";
  if (call.hold.stream && contentType.includes("event-stream")) return answerBytes(reply, call, context);
  const { connection, hold } = call;
  try {
    const progress = () => connection.noteProgress();
    const bytes = joinPieces(await readBounded(reply, MAX_BYTES, { progress, makeRoom: () => null }));
    connection.end();
    hold.noteFirstByte();
    const transcript = readTranscript(contentType, bytes);
    connection.noteSuccess();
    await settle(call, transcript, stored(call, contentType, bytes));
    call.incoming.capture?.noteAnswered([bytes]);
    return respondWith([bytes], { headers: call.headers(contentType) });
  } catch (error) {
    const failure = connection.describeFailure(error);
    if (!hold.isEnded) connection.noteFailure(failure);
    throw failure;
  }
}

/**
 * What a transcript reports: its duration in seconds or its tokens, null where it reports none; and its text's bytes.
 */
interface ReadTranscript {
  readonly seconds: number | null;
  readonly tokens: ReportedFigures | null;
  readonly writtenBytes: number;
}

/** @throws Error for anything but a transcript. */
function readTranscript(contentType: string, bytes: Uint8Array): ReadTranscript {
  if (TEXT_TYPE.test(contentType)) return { seconds: null, tokens: null, writtenBytes: bytes.byteLength };
  if (!JSON_TYPE.test(contentType))
    throw providerFailed(`It answered with ${contentType} instead of a transcript`);
  const { text, duration, usage } = parseBounded(decodeText(bytes)) as Record<
    "text" | "duration" | "usage",
    unknown
  >;
  if (typeof text !== "string") throw providerFailed("Its transcript has no text");
  const used = (usage ?? {}) as { type?: unknown; seconds?: unknown };
  return {
    seconds: keepPlausible(used.type === "duration" ? used.seconds : duration),
    tokens: readTranscriptTokens(usage),
    writtenBytes: Buffer.byteLength(text),
  };
}

/** Parses a number of seconds, which some servers write as text. */
function keepPlausible(value: unknown): number | null {
  const seconds = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
}

async function settle({ hold }: AdmittedCall, transcript: ReadTranscript, reply: string | undefined) {
  const { request } = hold.admission;
  const { usage, basis } = request.holdsWholeOutput
    ? computeTranscriptUsage(transcript.tokens, transcript.writtenBytes, request)
    : computeUsageByDuration(transcript, request);
  await hold.settle(usage, basis, { outcome: "completed", status: 200 }, reply);
}

function computeUsageByDuration(
  { seconds }: ReadTranscript,
  { price, units }: AdmissionRequest,
): ResolvedUsage {
  const isReported = seconds !== null && price.perUnit !== undefined;
  const used = isReported ? toMillionths(price.perUnit?.unit as PriceUnit, seconds) : units;
  const usage = { promptTokens: 0, completionTokens: 0, units: used };
  return { usage, basis: isReported ? "reported" : "estimated" };
}

function stored({ hold }: AdmittedCall, contentType: string, bytes: Uint8Array): string | undefined {
  if (!hold.idempotencyLock) return undefined;
  const recorder = new BinaryReplyRecorder(contentType);
  recorder.add(bytes);
  return recorder.text ?? undefined;
}
