import type { PriceUnit } from "@/lib/contract/calls/model-families";
import { transcriptionFields, translationFields } from "@/lib/contract/operations/calls/audio";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { type MultipartFields, writeMultipart } from "../../http/forms/multipart";
import type { StreamedBody } from "../../http/outbound/server-reply";
import { parseWith } from "../../http/parse-with";
import { hashBody } from "../../idempotency/idempotency";
import { toAudioMegabytes, withoutPrompt } from "../../providers/prompt-size/estimate-prompt";
import { computeMaxTextTokens, estimateTextTokens } from "../../providers/prompt-size/text-tokens";
import type { Recording } from "../recordings/recording-length";
import type { CompletionRequest, Counting, RequestEstimate, RequestFields, Terms } from "./prepared-request";
import type { UploadedFile, UploadedForm } from "./uploaded-form";

/**
 * The minimum bytes per second of a recording: for uncompressed samples, half the rate of telephone quality; for other
 * formats, Opus at its lowest bit rate.
 */
const MIN_BYTES_PER_SECOND = { pcm: 4_000, other: 750 };
/** A common bit rate of speech, assumed if a recording's duration can't be measured. */
const USUAL_BYTES_PER_SECOND = 8_000;
const SECONDS_PER_MINUTE = 60;
/** Tokens of audio in a second: what OpenAI counts, and the most that any known provider does. */
const TOKENS_PER_SECOND = { likely: 10, max: 32 };

export type TranscriptEndpoint = "audio/transcriptions" | "audio/translations";

/** A recording's likely duration, and the longest that a file of its size can have. */
interface Seconds {
  readonly likely: number;
  readonly max: number;
}

/** A recording to transcribe, priced by its duration or by its tokens. */
export class TranscriptionRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly fields: RequestFields;
  readonly bodyHash: string;
  readonly #file: UploadedFile;

  /**
   * @param recording null where it can't be measured.
   * @throws Refusal 400 naming the first invalid field.
   */
  constructor(
    readonly endpoint: TranscriptEndpoint,
    private readonly form: UploadedForm,
    private readonly recording: Recording | null,
  ) {
    const isTranslation = endpoint === "audio/translations";
    const values = convertFields(form.fields);
    const { model } = parseWith(translationFields, values);
    const stream = isTranslation ? false : parseWith(transcriptionFields, values).stream;
    this.fields = { model, stream: stream === true };
    this.bodyHash = hashBody(`${endpoint}\n${form.hash}`);
    const [file] = form.files;
    if (!file) throw new TypeError("A form without a file is refused when it is received");
    this.#file = file;
  }

  estimate({ unit }: Counting): RequestEstimate {
    const seconds = this.#seconds();
    return {
      ...withoutPrompt,
      audioMegabytes: toAudioMegabytes(this.#file.bytes),
      ...(unit ? countUnits(unit, seconds) : this.#countTokens(seconds)),
    };
  }

  #countTokens({ likely, max }: Seconds) {
    const texts = this.form.fields.map(([, value]) => value).join("\n");
    const prompt = this.form.fields.find(([name]) => name === "prompt")?.[1] ?? "";
    const audioTokens = Math.ceil(likely * TOKENS_PER_SECOND.likely);
    const promptTokens = audioTokens + Math.ceil(estimateTextTokens(prompt));
    const maxPromptTokens = Math.ceil(max * TOKENS_PER_SECOND.max) + computeMaxTextTokens(texts);
    const tokens = { promptTokens, countedPromptTokens: promptTokens, maxPromptTokens, audioTokens };
    return { ...tokens, holdsWholeOutput: true as const };
  }

  #seconds(): Seconds {
    const { bytes } = this.#file;
    const min = MIN_BYTES_PER_SECOND[this.recording?.isPcmWave ? "pcm" : "other"];
    const likely = this.recording?.seconds ?? bytes / USUAL_BYTES_PER_SECOND;
    // A file can claim to be shorter than it is, and the provider charges for the actual duration.
    return { likely, max: Math.max(likely, bytes / min) };
  }

  upstream({ model }: Terms): StreamedBody {
    const fields = this.form.fields.map(([name, value]) => [name, name === "model" ? model : value] as const);
    return writeMultipart(fields, this.form.files);
  }

  release(): void {
    this.form.release();
  }
}

function countUnits(unit: PriceUnit, { likely, max }: Seconds) {
  return { units: toMillionths(unit, likely), maxUnits: toMillionths(unit, max) };
}

/** Converts a duration to millionths of a unit of time, rounded up. */
export function toMillionths(unit: PriceUnit, seconds: number): number {
  return Math.ceil((seconds * PARTS_PER_UNIT) / (unit === "minute" ? SECONDS_PER_MINUTE : 1));
}

/** Converts the text fields to the types that JSON would have. Lists are passed on unparsed. */
function convertFields(fields: MultipartFields): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(fields);
  if (/^(0|1|0?\.\d+|1\.0+|0\.0+)$/.test(String(values.temperature)))
    values.temperature = Number(values.temperature);
  if (values.stream === "true" || values.stream === "false") values.stream = values.stream === "true";
  return values;
}
