import type { PresetName } from "@/lib/contract/calls/provider-presets";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { DEFAULT_POLL_SECONDS, type TaskApi } from "@/lib/contract/calls/task-api";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import type { Provider as ListedProvider } from "@/lib/contract/operations/models/providers";
import { toUnixSeconds } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import type { ModelContext } from "../../models/models";
import { openServiceCatalogue } from "../../models/price-catalogue";
import type { Provider } from "../../models/providers/provider-directory";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  findProvider,
  toProvider,
} from "../../models/providers/providers";
import { chooseTestModel } from "../../providers/probe/listed-models";
import { offerModels } from "../../providers/probe/offer-models";
import { findLocalServers, probeProvider } from "../../providers/probe/probe-provider";
import { hintAtKey } from "../../providers/provider-keys";
import type { ProviderLinks } from "../../providers/provider-link";
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

interface ProviderTestsContext extends ModelContext {
  readonly links: ProviderLinks;
  readonly organization: { readonly currency: string };
}

interface Asked {
  readonly model?: string | undefined;
  readonly exchange_rate?: string | null | undefined;
}

export function providerTestRoutes(
  context: ProviderTestsContext,
): Handlers<"testProvider" | "testNewProvider" | "retrieveLocalServers"> {
  const { directory } = context;
  return {
    testProvider: async ({ params: { provider_id: id }, query }) => {
      const provider = findProvider(directory, id);
      return test(context, { provider, id }, query);
    },
    retrieveLocalServers: async () => ({
      object: "organization.local_servers",
      servers: await findLocalServers(directory, context.runtime.clock),
    }),
    testNewProvider: async ({ body: { provider: draft, ...asked } }) => {
      const provider = toProvider(directory, { ...draft, id: draft.preset ?? "provider" });
      return test(context, { provider, id: null, preset: draft.preset }, asked);
    },
  };
}

async function test(
  context: ProviderTestsContext,
  { provider, id, preset }: { provider: Provider; id: string | null; preset?: PresetName | undefined },
  { model, exchange_rate: exchangeRate = null }: Asked,
): Promise<ProviderTest> {
  const { catalogue, links, organization, runtime } = context;
  const { clock } = runtime;
  const startedAtMs = clock.monotonicMs();
  const service = await openServiceCatalogue({ ...provider, preset }, clock.nowMs());
  const routed = catalogue.list().filter(({ family }) => family === "chat");
  const routedNames = routed
    .flatMap(({ routes }) => routes)
    .flatMap((route) => (route.provider === id ? [route.model] : []));
  const { list, ...finding } = await probeProvider(
    provider,
    links.to(provider),
    (models) => model ?? chooseTestModel(models, routedNames, service),
  );
  const offer =
    list &&
    offerModels(list, {
      catalogue,
      provider: id,
      newId: provider.id,
      service,
      currency: organization.currency,
      exchangeRate,
    });
  const took_ms = Math.round(clock.monotonicMs() - startedAtMs);
  return { object: "organization.provider.test", id, ...finding, took_ms, models: offer };
}
