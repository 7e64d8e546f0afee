import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { DAY_S } from "@/lib/contract/durations";
import { parseBounded } from "../../http/json";
import { providerAnsweredOddly } from "../../providers/provider-failure";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { toMillionths } from "../requests/transcription-request";
import type { ReportedFigures } from "../usage/read-usage";
import { computeTranscriptUsage, type ResolvedUsage, readTranscriptTokens } from "../usage/resolve-usage";
import { decodeText } from "./completion";

export const MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024;
/** No recording is longer. */
const MAX_SECONDS = 7 * DAY_S;
const JSON_TYPE = /^application\/json\b/i;
const TEXT_TYPE = /^(text\/(plain|vtt|srt)|application\/(x-)?subrip)\b/i;

/** What a whole transcript costs: the duration of its recording, or its tokens. @throws Error for anything else. */
export function readTranscript(
  contentType: string,
  bytes: Uint8Array,
  request: AdmissionRequest,
): ResolvedUsage {
  const transcript = parseTranscript(contentType, bytes);
  return request.holdsWholeOutput
    ? computeTranscriptUsage(transcript.tokens, transcript.writtenBytes, request)
    : computeUsageByDuration(transcript, request);
}

/**
 * What a transcript reports: its duration in seconds or its tokens, null where it reports none; and its text's bytes.
 */
interface ParsedTranscript {
  readonly seconds: number | null;
  readonly tokens: ReportedFigures | null;
  readonly writtenBytes: number;
}

/** @throws Error for anything but a transcript. */
function parseTranscript(contentType: string, bytes: Uint8Array): ParsedTranscript {
  if (TEXT_TYPE.test(contentType)) return { seconds: null, tokens: null, writtenBytes: bytes.byteLength };
  if (!JSON_TYPE.test(contentType))
    throw providerAnsweredOddly(`It answered with ${contentType} instead of a transcript`);
  const { text, duration, usage } = parseBounded(decodeText(bytes)) as Record<
    "text" | "duration" | "usage",
    unknown
  >;
  if (typeof text !== "string") throw providerAnsweredOddly("Its transcript has no text");
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

function computeUsageByDuration(
  { seconds }: ParsedTranscript,
  { price, units }: AdmissionRequest,
): ResolvedUsage {
  const isReported = seconds !== null && price.perUnit !== undefined;
  const used = isReported ? toMillionths(price.perUnit?.unit as PriceUnit, seconds) : units;
  const usage = { promptTokens: 0, completionTokens: 0, units: used };
  return { usage, basis: isReported ? "reported" : "estimated" };
}
