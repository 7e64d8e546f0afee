import type { ReportedUsage } from "@/lib/money/charge";
import type { CatalogueModel } from "../../models/catalogue";
import type { PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { type Encoding, findEncoding } from "../../providers/prompt-size/find-encoding";
import { estimateTextTokens, MAX_RATIO, PromptRatios } from "../../providers/prompt-size/text-tokens";
import { TokenCounter } from "../../providers/prompt-size/token-counter";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import type { CompletionRequest } from "../requests/prepared-request";

/** What surrounds a message, and the answer that is to follow, in OpenAI's form. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_AROUND = 3;
const TOKENIZER_MARGIN = 1.02;

/**
 * Counts prompts finer than by their bytes, where the coarse bound would refuse calls for money that is there. What a
 * prompt has beyond that is lost to the operator, as any cost beyond a hold.
 */
export class PromptCounter {
  readonly #ratios = new PromptRatios();
  readonly #counter: TokenCounter;

  /** @param logFault receives the reason why the thread of the tokenizers ended. */
  constructor(logFault: (reason: string) => void, counter = new TokenCounter(logFault)) {
    this.#counter = counter;
  }

  /** Remembers what a provider has counted for a prompt. */
  learn(request: AdmissionRequest, { promptTokens }: ReportedUsage): void {
    if (!request.isTextAlone) return;
    this.#ratios.learn(request.model, request.estimatedPromptTokens ?? request.promptTokens, promptTokens);
  }

  /**
   * A request with its prompt counted finer: by the model's own tokenizer where that is known, else by what its calls
   * have shown, and before any by its texts alone.
   */
  async count(
    model: Pick<CatalogueModel, "routes">,
    request: Pick<CompletionRequest, "promptTexts">,
    coarse: AdmissionRequest,
  ): Promise<AdmissionRequest> {
    // A prompt with other parts keeps its bounds, such as the model's window for a file.
    if (!coarse.isTextAlone) return coarse;
    const prompt = request.promptTexts?.();
    if (prompt === null) return coarse;
    const { promptTokens, maxPromptTokens = promptTokens } = coarse;
    const tokens =
      (await this.#tokenize(model, prompt)) ??
      this.#ratios.bound(coarse.model, promptTokens) ??
      estimateTexts(prompt, promptTokens);
    const finer = Math.min(maxPromptTokens, tokens);
    const likely = Math.min(promptTokens, finer);
    return {
      ...coarse,
      estimatedPromptTokens: promptTokens,
      promptTokens: likely,
      countedPromptTokens: likely,
      maxPromptTokens: finer,
    };
  }

  close(): void {
    this.#counter.close();
  }

  async #tokenize(
    { routes }: Pick<CatalogueModel, "routes">,
    prompt: PromptTexts | undefined,
  ): Promise<number | null> {
    const encoding = findCommonEncoding(routes);
    if (!encoding || !prompt) return null;
    const tokens = await this.#counter.count(encoding, prompt.texts);
    return tokens === null ? null : Math.ceil(tokens * TOKENIZER_MARGIN) + countAround(prompt);
  }
}

/** The tokenizer of all that may answer; null where one of them isn't known, or they differ. */
function findCommonEncoding(routes: CatalogueModel["routes"]): Encoding | null {
  const encodings = new Set(routes.map(({ model }) => findEncoding(model)));
  const [encoding = null] = encodings;
  return encodings.size === 1 ? encoding : null;
}

function estimateTexts(prompt: PromptTexts | undefined, promptTokens: number): number {
  if (!prompt) return Math.ceil(promptTokens * MAX_RATIO);
  const tokens = prompt.texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
  return Math.ceil(tokens * MAX_RATIO) + countAround(prompt);
}

function countAround({ messages }: PromptTexts): number {
  return messages === 0 ? 0 : messages * TOKENS_PER_MESSAGE + TOKENS_AROUND;
}
