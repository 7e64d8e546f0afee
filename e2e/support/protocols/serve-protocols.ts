import { afterAll, beforeAll, beforeEach } from "bun:test";
import { isProviderFault } from "../gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../gateways/serve-gateway";
import { type AnthropicServer, startAnthropicServer } from "../servers/anthropic-server";
import { type OpenaiServer, startOpenaiServer } from "../servers/openai-server";
import { type Answer, toAnthropicAnswer, toOpenaiAnswer } from "./answer";

/** The stand-ins, by the names of their models. */
export const providerNames = ["openai", "reasoning", "gemini", "anthropic"] as const;
export type ProviderName = (typeof providerNames)[number];

/** The prices of each model per million: input, read from the cache, written for 5 minutes and 1 hour, output. */
export const PRICES = { input: 5, cached: 0.5, written: 6.25, written1h: 10, output: 25 } as const;

export interface Protocols {
  readonly gateway: ServedGateway;
  readonly chat: Readonly<Record<Exclude<ProviderName, "anthropic">, OpenaiServer>>;
  readonly anthropic: AnthropicServer;
  /** What the provider of a model answers. */
  answerWith(model: ProviderName, answer: Answer | (() => Response)): void;
  /** What the provider of a model answers to each call. */
  answerInTurn(model: ProviderName, answer: () => Answer): void;
  /** The last body that the provider of a model got. */
  readSent(model: ProviderName): Record<string, unknown>;
}

/** Serves all tests of a file one gateway with a model at the stand-in of each protocol. */
export function serveProtocols(take: (served: Protocols) => void): void {
  let served: Protocols;
  beforeAll(async () => {
    served = await openProtocols();
    take(served);
  });
  beforeEach(() => {
    for (const { visits } of [...Object.values(served.chat), served.anthropic]) visits.length = 0;
  });
  afterAll(async () => {
    await served.gateway.close();
    await Promise.all([...Object.values(served.chat), served.anthropic].map((server) => server.stop()));
  });
}

async function openProtocols(): Promise<Protocols> {
  const chat = {
    openai: startOpenaiServer(),
    reasoning: startOpenaiServer("reasoning"),
    gemini: startOpenaiServer("gemini"),
  };
  const anthropic = startAnthropicServer();
  const gateway = await serveGateway({
    config: writeConfiguration({ ...chat, anthropic }),
    isExpectedFault: isProviderFault,
  });
  return {
    gateway,
    chat,
    anthropic,
    answerWith(model, answer) {
      const isReply = typeof answer === "function";
      if (model === "anthropic") anthropic.answerWith(() => (isReply ? answer() : toAnthropicAnswer(answer)));
      else chat[model].answerWith(() => (isReply ? answer() : toOpenaiAnswer(answer)));
    },
    answerInTurn(model, answer) {
      if (model === "anthropic") anthropic.answerWith(() => toAnthropicAnswer(answer()));
      else chat[model].answerWith(() => toOpenaiAnswer(answer()));
    },
    readSent(model) {
      const { visits } = model === "anthropic" ? anthropic : chat[model];
      return JSON.parse(visits.at(-1)?.text ?? "{}");
    },
  };
}

function writeConfiguration(servers: Readonly<Record<ProviderName, { readonly baseUrl: string }>>): string {
  const presets = { openai: "openai", reasoning: "openai", gemini: "gemini", anthropic: "anthropic" };
  const providers = providerNames.map((id) => {
    const api_key = id === "anthropic" ? "sk-ant-upstream" : "sk-upstream";
    return {
      id,
      kind: "openai",
      preset: presets[id],
      ...(id !== "anthropic" && { protocols: ["chat"] }),
      base_url: servers[id].baseUrl,
      api_key,
      circuit: false,
    };
  });
  const price = {
    input_per_1m: String(PRICES.input),
    cached_input_per_1m: String(PRICES.cached),
    cache_write_5m_per_1m: String(PRICES.written),
    cache_write_1h_per_1m: String(PRICES.written1h),
    output_per_1m: String(PRICES.output),
  };
  const models = providerNames.map((id) => ({
    id,
    family: "chat",
    rate: "1",
    price,
    max_output_tokens: 16_000,
    rate_limits: { max_tokens_per_1_minute: 100_000_000 },
    routes: [{ provider: id, model: id === "anthropic" ? "claude-sonnet-4-5" : "gpt" }],
  }));
  const [newest] = models.slice(-1).map((model) => ({
    ...model,
    id: "claude-5",
    routes: [{ provider: "anthropic", model: "claude-opus-5" }],
  }));
  return JSON.stringify({ providers, models: [...models, newest] });
}
