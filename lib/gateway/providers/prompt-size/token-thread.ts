import { lowerThreadPriority } from "../../http/worker-client";
import { cutText } from "./cut-text";
import type { Encoding } from "./find-encoding";

/** The thread that counts tokens. It loads a tokenizer with the first question for it. */
declare const self: Worker;

export interface TokenQuestion {
  readonly encoding: Encoding;
  readonly texts: readonly string[];
}

type Count = (text: string) => number;

/** Names of special tokens in a text are a text like any other. */
const plain = { disallowedSpecial: new Set<string>() };
const loaders = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base"),
};
const counts = new Map<Encoding, Count>();

async function load(encoding: Encoding): Promise<Count> {
  const known = counts.get(encoding);
  if (known) return known;
  const { countTokens } = await loaders[encoding]();
  const count: Count = (text) => countTokens(text, plain);
  counts.set(encoding, count);
  return count;
}

lowerThreadPriority();
self.onmessage = async ({ data: { encoding, texts } }: MessageEvent<TokenQuestion>) => {
  const count = await load(encoding);
  let tokens = 0;
  for (const text of texts) for (const piece of cutText(text)) tokens += count(piece);
  self.postMessage(tokens);
};
