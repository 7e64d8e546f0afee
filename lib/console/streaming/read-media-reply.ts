import type { ModelFamily } from "@/lib/contract/model-families";
import { createProblem } from "../gateway/problem";
import { readReply } from "../gateway/read-reply";
import type { ChatEvent } from "./chat-event";
import { describeRawReply } from "./stream-chat";

/** Longer than a text of the greatest length, spoken slowly and uncompressed. */
const MAX_AUDIO_BYTES = 32 * 1024 * 1024;

/** Reads the whole reply of a speech, transcription, embedding or moderation model. */
export async function* readMediaReply(response: Response, family: ModelFamily): AsyncGenerator<ChatEvent> {
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (family === "speech") yield* readSpeech(response, type);
  else if (type !== "application/json") {
    const text = await response.text();
    yield { type: "text", text };
    yield { type: "output", output: { kind: "transcript" } };
    yield describeRawReply(response, text);
  } else {
    const media: unknown = await readReply(response);
    yield* readEvents(media as Reply, family);
    yield describeRawReply(response, JSON.stringify(media, null, 2) ?? "");
  }
}

async function* readSpeech(response: Response, mimeType: string): AsyncGenerator<ChatEvent> {
  const audio = Buffer.from(await response.arrayBuffer());
  yield describeRawReply(response, `(${audio.length} bytes of ${mimeType})`);
  if (audio.length > MAX_AUDIO_BYTES)
    yield { type: "problem", problem: createProblem("failed", "The audio is too large for the playground.") };
  else {
    const data = audio.toString("base64");
    yield { type: "output", output: { kind: "speech", mimeType, bytes: audio.length, data } };
  }
}

/** The fields that are read. A provider's reply may lack each of them. */
type Reply = {
  readonly text?: string;
  readonly usage?: { readonly prompt_tokens?: number; readonly total_tokens?: number };
  readonly data?: readonly { readonly embedding?: readonly number[] }[];
  readonly results?: readonly {
    readonly flagged?: boolean;
    readonly categories?: Readonly<Record<string, boolean | null>>;
    readonly category_scores?: Readonly<Record<string, number>>;
  }[];
};

function* readEvents({ text, data, results, usage }: Reply, family: ModelFamily): Generator<ChatEvent> {
  const vector = data?.[0]?.embedding;
  const result = results?.[0];
  if (family === "transcription" && typeof text === "string") {
    if (text !== "") yield { type: "text", text };
    yield { type: "output", output: { kind: "transcript" } };
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
  } else {
    const problem = createProblem("failed", "The model answered, but not in the form that was agreed.");
    yield { type: "problem", problem };
  }
  const promptTokens = usage?.prompt_tokens;
  if (promptTokens !== undefined)
    yield { type: "usage", promptTokens, completionTokens: 0, totalTokens: promptTokens };
}
