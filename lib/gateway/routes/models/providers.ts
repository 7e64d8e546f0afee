import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { DEFAULT_POLL_SECONDS, type TaskApi } from "@/lib/contract/calls/task-api";
import type { Provider as ListedProvider } from "@/lib/contract/operations/models/providers";
import { toUnixSeconds } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import type { ModelContext } from "../../models/models";
import type { Provider } from "../../models/providers/provider-directory";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  findProvider,
} from "../../models/providers/providers";
import { hintAtKey } from "../../providers/provider-keys";
import type { ProviderLinks } from "../../providers/provider-links";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listProviders" | "createProvider" | "retrieveProvider" | "changeProvider" | "deleteProvider";

interface Context extends ModelContext {
  readonly links: ProviderLinks;
}

export function providerRoutes(context: Context): Handlers<Ids> {
  const { directory, links } = context;
  const toListed = (provider: Provider) => describe(provider, links);
  return {
    listProviders: ({ query }) => paginate(listInMemory(directory.list()), query, toListed),
    createProvider: async ({ body, request }) => toListed(await createProvider(context, request, body)),
    retrieveProvider: async ({ params }) => toListed(findProvider(directory, params.provider_id)),
    changeProvider: async ({ params, body, request }) =>
      toListed(await changeProvider(context, request, params.provider_id, body)),
    deleteProvider: async ({ params, request }) => {
      await deleteProvider(context, request, params.provider_id);
      return { object: "organization.provider.deleted", id: params.provider_id, deleted: true };
    },
  };
}

function describeTimeouts(timeouts: ProviderTimeouts): ListedProvider["timeouts"] {
  const defaults = { connect_seconds: null, whole_answer_seconds: null, first_event_seconds: null };
  return { ...defaults, idle_seconds: null, total_seconds: null, ...timeouts };
}

function describeTaskApi({ makes, submit, poll, cancel }: TaskApi): ListedProvider["task_api"] {
  return {
    makes,
    submit: `${submit.method ?? "POST"} ${submit.path}`,
    poll: poll ? `GET ${poll.path}` : null,
    cancel: cancel ? `${cancel.method ?? "POST"} ${cancel.path}` : null,
    poll_seconds: poll ? (poll.interval_seconds ?? DEFAULT_POLL_SECONDS) : null,
    repeats_lost_orders: submit.idempotency_header !== undefined,
  };
}

function describe(provider: Provider, links: ProviderLinks): ListedProvider {
  const { id, kind, source, baseUrl, apiKey } = provider;
  const { outputLimitField, refusedFields, misconfigurations, keys } = links.to(provider);
  return {
    object: "organization.provider",
    id,
    kind,
    base_url: baseUrl || null,
    has_api_key: apiKey !== null,
    api_keys: provider.keys.map((key) => ({ id: key.id, hint: hintAtKey(key.secret.reveal()) })),
    resting_api_keys: keys.listRests().map(({ key, model, leftMs, status }) => ({
      id: key.id,
      model,
      until: toUnixSeconds(links.nowMs() + leftMs),
      status,
    })),
    protocols: [...provider.protocols],
    auth: provider.auth,
    messages_base_url: provider.messagesBaseUrl,
    output_limit_field: outputLimitField,
    timeouts: describeTimeouts(provider.timeouts),
    refused_fields: [...provider.refusedFields],
    found_refused_fields: [...refusedFields.list()],
    source,
    task_api: provider.taskApi && describeTaskApi(provider.taskApi),
    misconfigured: misconfigurations
      .list()
      .map(({ model, status, atMs }) => ({ model, status, at: toUnixSeconds(atMs) })),
  };
}
