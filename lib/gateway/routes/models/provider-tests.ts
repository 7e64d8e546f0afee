import type { PresetName } from "@/lib/contract/calls/provider-presets";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import type { ModelContext } from "../../models/models";
import { openServiceCatalogue } from "../../models/price-catalogue";
import type { Provider } from "../../models/providers/provider-directory";
import { findProvider, toProvider } from "../../models/providers/providers";
import { findLocalServers } from "../../providers/probe/find-local-servers";
import { chooseTestModel } from "../../providers/probe/listed-models";
import { offerModels } from "../../providers/probe/offer-models";
import { probeProvider } from "../../providers/probe/probe-provider";
import type { ProviderLinks } from "../../providers/provider-links";
import type { Handlers } from "../handler";

interface Context extends ModelContext {
  readonly links: ProviderLinks;
  readonly organization: { readonly currency: string };
}

interface Asked {
  readonly model?: string | undefined;
  readonly exchange_rate?: string | null | undefined;
}

export function providerTestRoutes(
  context: Context,
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
  context: Context,
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
