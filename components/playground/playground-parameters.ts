import { UNKNOWN_MODEL } from "@/lib/contract/calls/request-outcomes";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import type { Settings } from "./settings";

/** The playground's initial state from the address. */
export interface PlaygroundParameters {
  readonly model: string | undefined;
  readonly settings: Partial<Pick<Settings, "endpoint" | "temperature" | "max_tokens">>;
}

const settingParameters = ["endpoint", "temperature", "max_tokens"] as const;

type Given = Readonly<Record<string, string | string[] | undefined>>;

export function hasSettings({ settings }: PlaygroundParameters): boolean {
  return Object.keys(settings).length > 0;
}

/** Reads the address. Ignores invalid values, since people edit addresses by hand. */
export function parsePlaygroundParameters(given: Given): PlaygroundParameters {
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  const [endpoint, temperature, maxTokens] = settingParameters.map(text);
  return {
    model: text("model"),
    settings: {
      ...((endpoint === "messages" || endpoint === "responses") && { endpoint }),
      ...(temperature !== undefined && /^\d(\.\d{1,6})?$/.test(temperature) && { temperature }),
      ...(maxTokens !== undefined && /^\d{1,9}$/.test(maxTokens) && { max_tokens: maxTokens }),
    },
  };
}

/**
 * Returns the parameters that open the playground with the model and settings of a call; null if the model is unknown
 * or the call was for embeddings.
 */
export function readReceiptParameters({
  request,
  settings,
  client,
}: RequestReceipt): Record<string, string> | null {
  if (request.model === UNKNOWN_MODEL || client?.endpoint === "embeddings") return null;
  const { temperature = null, max_tokens = null } = settings ?? {};
  return {
    model: request.model,
    ...((client?.endpoint === "messages" || client?.endpoint === "responses") && {
      endpoint: client.endpoint,
    }),
    ...(temperature !== null && { temperature: String(temperature) }),
    ...(max_tokens !== null && { max_tokens: String(max_tokens) }),
  };
}
