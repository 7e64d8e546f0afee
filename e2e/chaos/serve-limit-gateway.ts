import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { ErrorBody } from "@/lib/contract/errors";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import type { LimitRefusal } from "@/lib/contract/refusal-facts";
import { serveGateway } from "../support/gateways/serve-gateway";

/** The limits that are enforced on a chat call. */
export const chatFields = [
  "max_requests_per_1_minute",
  "max_tokens_per_1_minute",
  "max_requests_per_1_day",
] as const satisfies readonly RateLimitField[];

export type ChatField = (typeof chatFields)[number];

export const MODEL = "sandbox-echo";
const UNREACHED = 1_000_000_000;

export interface Verdict {
  readonly isAdmitted: boolean;
  /** The code of the refusal; null without one. */
  readonly code: string | null;
  readonly limit: LimitRefusal | null;
  readonly retryAfterMs: number;
  readonly atMs: number;
  /** The tokens that an admitted call used, or that a refused one asked for. */
  readonly tokens: number;
}

export type LimitGateway = Awaited<ReturnType<typeof serveLimitGateway>>;

/** A gateway in this process with a clock that the scenario moves, so that a day passes at once. */
export async function serveLimitGateway(options: { maxConcurrentRequests?: number } = {}) {
  const gateway = await serveGateway({ balance: "1000000.00", ...options });
  let elapsedMs = 0;
  const send = (model: string, words: number, maxTokens: number, signal?: AbortSignal) =>
    fetch(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model,
        max_tokens: maxTokens,
        messages: [{ role: "user", content: Array(words).fill("word").join(" ") }],
      }),
      ...(signal && { signal }),
    });
  return {
    ...gateway,
    send,
    /** The true time in milliseconds since the scenario began. */
    now: () => elapsedMs,
    pass(ms: number) {
      elapsedMs += ms;
      gateway.pass(ms);
    },
    /** Sets these limits and makes the others unreachable. */
    limit: (change: RateLimitChange) =>
      gateway.setLimits(MODEL, {
        ...Object.fromEntries(chatFields.map((field) => [field, UNREACHED])),
        ...change,
      }),
    /** Calls a model that echoes the prompt: `words` of prompt and as many of output, one token each. */
    async call(words = 1, maxTokens = words): Promise<Verdict> {
      const atMs = elapsedMs;
      const reply = await send(MODEL, words, maxTokens);
      const { error } = (await reply.json()) as Partial<ErrorBody>;
      if (reply.status !== 200 && reply.status !== 429 && reply.status !== 402)
        throw new Error(`A call ended in ${reply.status}: ${JSON.stringify(error)}`);
      return {
        isAdmitted: reply.status === 200,
        code: error?.code ?? null,
        limit: error?.limit ?? null,
        retryAfterMs: Number(reply.headers.get("retry-after") ?? 0) * 1_000,
        atMs,
        tokens: reply.status === 200 ? 2 * words : words + maxTokens,
      };
    },
  };
}
