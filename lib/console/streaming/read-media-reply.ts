import type { ModelFamily } from "@/lib/contract/calls/model-families";
import { createProblem } from "../gateway/problem";
import { readReply, readText } from "../gateway/read-reply";
import { hasMediaType } from "../gateway/send-request";
import type { ChatEvent } from "./chat-event";
import { describeRawReply, formatJson } from "./open-answer";

/** The longest text, spoken slowly and uncompressed, is smaller. */
const MAX_AUDIO_BYTES = 32 * 1024 * 1024;

const UNREADABLE =
  "The provider’s reply is in a format that the playground can’t show. “Request and reply” in this answer’s menu has it as it came.";

/**
 * Reads the whole reply of a speech, transcription, embedding or moderation model.
 * @throws ReplyTooLarge, and the body's own errors.
 */
export async function* readMediaReply(response: Response, family: ModelFamily): AsyncGenerator<ChatEvent> {
  if (family === "speech") yield* readSpeech(response);
  else if (family === "transcription" && !hasMediaType(response, "application/json")) {
    const text = await readText(response);
    yield* describeTranscript(text);
    yield describeRawReply(response, text);
  } else {
    const media = await readReply(response);
    const reply = (typeof media === "object" && media !== null ? media : {}) as MediaReply;
    const output = [...readOutput(reply, family)];
    yield* output;
    yield* readUsage(reply.usage);
    yield describeRawReply(response, formatJson(media));
    if (output.length > 0) return;
    const problem = createProblem("failed", UNREADABLE);
    yield { type: "problem", problem };
  }
}

async function* readSpeech(response: Response): AsyncGenerator<ChatEvent> {
  const mimeType = response.headers.get("content-type")?.split(";")[0] ?? "";
  const audio = await readAudio(response);
  const size = audio === null ? `more than ${MAX_AUDIO_BYTES}` : audio.length;
  yield describeRawReply(response, `(${size} bytes of ${mimeType})`);
  if (audio === null)
    yield { type: "problem", problem: createProblem("failed", "The audio is too large for the playground.") };
  else {
    const data = audio.toString("base64");
    yield { type: "output", output: { kind: "speech", mimeType, bytes: audio.length, data } };
  }
}

/** Null beyond the size limit, after which nothing more is read. */
async function readAudio({ body }: Response): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_AUDIO_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The fields that are read. A provider's reply may lack each of them. */
interface MediaReply {
  readonly text?: string;
  readonly usage?: MediaUsage;
  readonly data?: readonly { readonly embedding?: readonly number[] }[];
  readonly results?: readonly {
    readonly flagged?: boolean;
    readonly categories?: Readonly<Record<string, boolean | null>>;
    readonly category_scores?: Readonly<Record<string, number>>;
  }[];
}

/** An embedding reports `prompt_tokens`, a transcription `input_tokens` and `output_tokens`. */
interface MediaUsage {
  readonly prompt_tokens?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

function* readUsage(usage: MediaUsage | undefined): Generator<ChatEvent> {
  const promptTokens = usage?.prompt_tokens ?? usage?.input_tokens;
  const completionTokens = usage?.output_tokens ?? 0;
  if (promptTokens !== undefined)
    yield { type: "usage", promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

function* describeTranscript(text: string): Generator<ChatEvent> {
  if (text !== "") yield { type: "text", text };
  yield { type: "output", output: { kind: "transcript" } };
}

/** Nothing if the reply is not of the form that its family has. */
function* readOutput({ text, data, results }: MediaReply, family: ModelFamily): Generator<ChatEvent> {
  const vector = data?.[0]?.embedding;
  const result = results?.[0];
  if (family === "transcription" && typeof text === "string") {
    yield* describeTranscript(text);
  } else if (family === "embedding" && Array.isArray(vector)) {
    yield { type: "output", output: { kind: "embedding", vector } };
  } else if (family === "moderation" && result) {
    const scores = result.category_scores ?? {};
    const categories = Object.entries(result.categories ?? {}).map(([name, isFlagged]) => ({
      name,
      flagged: isFlagged === true,
      score: scores[name] ?? null,
    }));
    const output = { kind: "moderation" as const, flagged: result.flagged === true, categories };
    yield { type: "output", output };
  }
}
