import { type SpeechRequest as SpeechBody, speechRequest } from "@/lib/contract/operations/calls/audio";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { type JsonObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { withoutPrompt } from "../../providers/prompt-size/estimate-prompt";
import type { CompletionRequest, Counting, RequestEstimate, RequestFields, Terms } from "./prepared-request";

/** A text to speak, priced by its characters. */
class SpeechRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "audio/speech";
  readonly fields: RequestFields;
  readonly #characters: number;

  constructor(
    private readonly body: JsonObject,
    { model, input, instructions, stream_format }: SpeechBody,
    readonly bodyHash: string | null,
  ) {
    this.fields = { model, stream: stream_format === "sse" };
    this.#characters = countCharacters(input) + countCharacters(instructions ?? "");
  }

  estimate({ unit }: Counting): RequestEstimate {
    return unit ? { ...withoutPrompt, units: this.#characters * PARTS_PER_UNIT } : withoutPrompt;
  }

  upstream({ model }: Terms): string {
    const { text, scanned } = this.body;
    if (model === this.fields.model) return text;
    return spliceObject(text, scanned, new Map([["model", JSON.stringify(model)]]));
  }

  release(): void {}
}

/** @throws Refusal 400 naming the first invalid field. */
export function readSpeechRequest(body: JsonObject, bodyHash: string | null): SpeechRequest {
  return new SpeechRequest(body, parseWith(speechRequest, body.value), bodyHash);
}

/** Counts Unicode characters: one outside the basic plane counts once. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
