import { type KeyEndpoint, keyEndpoints, modelEndpoints } from "@/lib/contract/access/key-scopes";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";

const everything = "";
const names: Readonly<Record<KeyEndpoint, string>> = {
  chat_completions: "POST /v1/chat/completions",
  messages: "POST /v1/messages",
  responses: "POST /v1/responses",
  embeddings: "POST /v1/embeddings",
  images: "POST /v1/images",
  videos: "POST /v1/videos",
  moderations: "POST /v1/moderations",
  audio: "POST /v1/audio",
  files: "/v1/files",
  batches: "/v1/batches",
};

/**
 * Options for limiting a key's endpoints: the API's list, joined, with its meaning.
 * @param saved the key's present endpoints, which can be any combination.
 */
export function endpointOptions(saved: string = everything) {
  const usual = [
    { value: everything, label: "Everything its role allows" },
    { value: modelEndpoints.join(","), label: "Calls to models only" },
    ...keyEndpoints.map((endpoint) => ({ value: endpoint as string, label: `${names[endpoint]} only` })),
  ];
  if (usual.some(({ value }) => value === saved)) return usual;
  const named = keyEndpoints.filter((endpoint) => saved.split(",").includes(endpoint));
  return [...usual, { value: saved, label: `${named.map((endpoint) => names[endpoint]).join(", ")} only` }];
}

/**
 * The form values of a key's scope. No selected model means every model. The schema is in another file, because the
 * list of keys doesn't need it.
 */
export interface KeyScopeForm {
  models: string[];
  endpoints: string;
}

export const unlimitedScope: KeyScopeForm = { models: [], endpoints: everything };

export function toKeyScopeForm({
  models,
  endpoints,
}: Pick<ProjectApiKey, "models" | "endpoints">): KeyScopeForm {
  const inOrder = keyEndpoints.filter((endpoint) => endpoints?.includes(endpoint));
  return { models: models ?? [], endpoints: inOrder.join(",") };
}

/** Converts to the request's fields, where null means no limit. */
export function toKeyScopeFields({ models, endpoints }: Partial<KeyScopeForm>) {
  const chosen = keyEndpoints.filter((endpoint) => endpoints?.split(",").includes(endpoint));
  return {
    ...(models && { models: models.length > 0 ? models : null }),
    ...(endpoints !== undefined && { endpoints: chosen.length > 0 ? chosen : null }),
  };
}

/** Returns "2 models · messages"; empty if the key isn't limited. */
export function describeKeyScope({ models, endpoints }: Pick<ProjectApiKey, "models" | "endpoints">): string {
  const parts = [
    models && (models.length === 1 ? (models[0] ?? "") : `${models.length} models`),
    endpoints && endpoints.join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}
