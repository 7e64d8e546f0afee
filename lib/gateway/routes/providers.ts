import type { Provider as ListedProvider } from "@/lib/contract/operations/providers";
import { createProvider } from "../models/create-provider";
import { deleteProvider } from "../models/delete-provider";
import { findProvider } from "../models/find-provider";
import type { ModelContext } from "../models/model-context";
import type { Provider } from "../models/provider-directory";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";

type Ids = "listProviders" | "createProvider" | "retrieveProvider" | "deleteProvider";

export function providerRoutes(context: ModelContext): Handlers<Ids> {
  return {
    listProviders: async ({ query }) => paginate(context.directory.list().map(toListed), query),
    createProvider: async ({ body }) => toListed(await createProvider(context, body)),
    retrieveProvider: async ({ params }) => toListed(findProvider(context.directory, params.provider_id)),
    deleteProvider: async ({ params }) => {
      await deleteProvider(context, params.provider_id);
      return { object: "organization.provider.deleted", id: params.provider_id, deleted: true };
    },
  };
}

function toListed(provider: Provider): ListedProvider {
  const { id, kind, source } = provider;
  const hosted = provider.kind === "openai";
  return {
    object: "organization.provider",
    id,
    kind,
    base_url: hosted ? provider.baseUrl : null,
    has_api_key: hosted && provider.apiKey !== null,
    output_limit_field: hosted ? provider.outputLimitField : "max_tokens",
    source,
  };
}
