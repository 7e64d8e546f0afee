import type { OmittableField, ProviderAuth, ProviderProtocol } from "./provider-protocols";

/** What is known of a service: how a provider at it is set up, unless its settings say otherwise. */
export interface ProviderPreset {
  readonly title: string;
  /** Null where each customer has an address of their own, such as `addressExample`. */
  readonly baseUrl: string | null;
  readonly addressExample?: string;
  /** The path of messages, at the host of the base address, where it differs from that of chat completions. */
  readonly messagesPath?: string;
  readonly protocols: readonly ProviderProtocol[];
  readonly auth: ProviderAuth;
  readonly outputLimitField?: "max_tokens" | "max_completion_tokens";
  readonly refusedFields?: readonly OmittableField[];
  /** How the service's keys begin, where that tells it from the others. */
  readonly keyPrefix?: string;
  /** Whether it answers without a key. */
  readonly isLocal?: true;
}

const bearer = { auth: "bearer" } as const;
const local = { auth: "bearer", isLocal: true } as const;
const both = ["chat", "messages"] as const;

/** By the id that a provider at this service usually has. */
const providerPresets = {
  openai: {
    ...bearer,
    title: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    protocols: ["chat", "responses"],
    outputLimitField: "max_completion_tokens",
    refusedFields: ["long_user"],
    keyPrefix: "sk-proj-",
  },
  azure: {
    title: "Azure OpenAI",
    auth: "api-key",
    baseUrl: null,
    addressExample: "https://RESOURCE.services.ai.azure.com/openai/v1",
    messagesPath: "/anthropic/v1",
    protocols: ["chat", "responses"],
    outputLimitField: "max_completion_tokens",
    refusedFields: ["long_user"],
  },
  anthropic: {
    title: "Anthropic",
    auth: "x-api-key",
    baseUrl: "https://api.anthropic.com/v1",
    protocols: ["messages"],
    keyPrefix: "sk-ant-",
  },
  bedrock: {
    ...bearer,
    title: "Amazon Bedrock",
    baseUrl: null,
    addressExample: "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
    messagesPath: "/anthropic/v1",
    protocols: ["chat"],
    keyPrefix: "ABSK",
  },
  gemini: {
    ...bearer,
    title: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    protocols: ["chat"],
    keyPrefix: "AIza",
  },
  mistral: {
    ...bearer,
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    protocols: ["chat"],
    refusedFields: ["stream_options", "user"],
  },
  xai: {
    ...bearer,
    title: "xAI",
    baseUrl: "https://api.x.ai/v1",
    protocols: ["chat", "messages", "responses"],
    keyPrefix: "xai-",
  },
  deepseek: {
    ...bearer,
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    messagesPath: "/anthropic/v1",
    protocols: both,
  },
  groq: {
    ...bearer,
    title: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    protocols: ["chat", "responses"],
    outputLimitField: "max_completion_tokens",
    keyPrefix: "gsk_",
  },
  openrouter: {
    ...bearer,
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    protocols: both,
    keyPrefix: "sk-or-",
  },
  together: {
    ...bearer,
    title: "Together",
    baseUrl: "https://api.together.xyz/v1",
    protocols: ["chat"],
  },
  fireworks: {
    ...bearer,
    title: "Fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    protocols: both,
    keyPrefix: "fw_",
  },
  ollama: { ...local, title: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", protocols: both },
  vllm: { ...local, title: "vLLM", baseUrl: "http://127.0.0.1:8000/v1", protocols: both },
  "lm-studio": { ...local, title: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1", protocols: both },
  "llama-cpp": { ...local, title: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1", protocols: both },
  other: {
    ...bearer,
    title: "Any other server",
    baseUrl: null,
    addressExample: "https://models.example.com/v1",
    protocols: ["chat"],
  },
} as const satisfies Readonly<Record<string, ProviderPreset>>;

export type PresetName = keyof typeof providerPresets;
export const presetNames = Object.keys(providerPresets) as PresetName[];

/** The service whose keys begin as this one; null where its beginning says nothing. */
export function findPresetOfKey(key: string): PresetName | null {
  const isOf = ({ keyPrefix }: ProviderPreset) => keyPrefix !== undefined && key.startsWith(keyPrefix);
  return presetNames.find((name) => isOf(providerPresets[name])) ?? null;
}

export function findPreset(name: PresetName): ProviderPreset {
  return providerPresets[name];
}
