import { type KeyEndpoint, keyEndpoints, modelEndpoints } from "@/lib/contract/key-scopes";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";

const everything = "";
const names: Readonly<Record<KeyEndpoint, string>> = {
  chat_completions: "POST /v1/chat/completions",
  messages: "POST /v1/messages",
  embeddings: "POST /v1/embeddings",
  images: "POST /v1/images",
  videos: "POST /v1/videos",
  moderations: "POST /v1/moderations",
  files: "/v1/files",
  batches: "/v1/batches",
};

/**
 * Ways to limit a key's endpoints: the API's list, joined, and what it means.
 * @param saved what the key has, which may be any of them together.
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

/** What forms hold of a key's scope: no model ticked is no limit. Their schema stands apart, since the list of keys has no use for it. */
export interface ScopeForm {
  models: string[];
  endpoints: string;
}

export const noScope: ScopeForm = { models: [], endpoints: everything };

export function scopeFormOf({ models, endpoints }: Pick<ProjectApiKey, "models" | "endpoints">): ScopeForm {
  const inOrder = keyEndpoints.filter((endpoint) => endpoints?.includes(endpoint));
  return { models: models ?? [], endpoints: inOrder.join(",") };
}

/** The same as requests have it: null is no limit. */
export function scopeOf({ models, endpoints }: Partial<ScopeForm>) {
  const chosen = keyEndpoints.filter((endpoint) => endpoints?.split(",").includes(endpoint));
  return {
    ...(models && { models: models.length > 0 ? models : null }),
    ...(endpoints !== undefined && { endpoints: chosen.length > 0 ? chosen : null }),
  };
}

/** "2 models · messages", or nothing where the key is not limited. */
export function describeScope({ models, endpoints }: Pick<ProjectApiKey, "models" | "endpoints">): string {
  const parts = [
    models && (models.length === 1 ? (models[0] ?? "") : `${models.length} models`),
    endpoints && endpoints.join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}
