import { DAY_MS } from "@/lib/contract/durations";
import type { Health } from "@/lib/contract/operations/health";
import { causeOf } from "../../completions/upstream/explain-failure";
import { probeProvider } from "../../completions/upstream/probe-provider";
import type { LastFailure } from "../../completions/upstream/provider-failures";
import type { ProviderLinks } from "../../completions/upstream/provider-links";
import type { Effects } from "../../effects";
import type { Catalogue } from "../../models/catalogue";
import { findProvider } from "../../models/find-provider";
import type { Provider, ProviderDirectory } from "../../models/provider-directory";
import type { ModelHealthReader } from "../../usage/model-health";
import type { Handlers } from "../handler";
import { toUnixSeconds } from "../unix-seconds";

interface Context {
  readonly health: ModelHealthReader;
  readonly catalogue: Pick<Catalogue, "list">;
  readonly directory: ProviderDirectory;
  readonly links: ProviderLinks;
  readonly effects: Effects;
}

export function healthRoutes(context: Context): Handlers<"retrieveHealth" | "testProvider"> {
  const { directory, links, effects } = context;
  return {
    retrieveHealth: async () => {
      const fromMs = effects.clock.nowMs() - DAY_MS;
      return {
        object: "organization.health",
        start_time: toUnixSeconds(fromMs),
        models: await modelsSince(context, fromMs),
        providers: directory.list().map((provider) => describe(provider, links)),
      };
    },
    testProvider: async ({ params: { provider_id: id } }) => {
      const provider = findProvider(directory, id);
      const startedAtMs = effects.clock.monotonicMs();
      const finding = await probeProvider(provider, links.to(provider));
      const tookMs = Math.round(effects.clock.monotonicMs() - startedAtMs);
      return { object: "organization.provider.test", id, ...finding, took_ms: tookMs };
    },
  };
}

async function modelsSince({ health, catalogue }: Context, fromMs: number): Promise<Health["models"]> {
  const found = new Map((await health.modelHealth(fromMs)).map((one) => [one.model, one]));
  return catalogue.list().map(({ id, routes }) => {
    const of = found.get(id);
    return {
      id,
      providers: [...new Set(routes.map(({ provider }) => provider))],
      calls: of?.calls ?? 0,
      errors: of?.errors ?? 0,
      first_byte_p50_ms: of?.firstByteP50Ms ?? null,
      first_byte_p95_ms: of?.firstByteP95Ms ?? null,
      tokens_per_second: of?.tokensPerSecond ?? null,
    };
  });
}

function describe(provider: Provider, links: ProviderLinks): Health["providers"][number] {
  const link = links.to(provider);
  const { calls, most } = link.load;
  const last = link.failures.last();
  return {
    id: provider.id,
    calls_under_way: calls,
    max_calls_under_way: Number.isFinite(most) ? most : null,
    last_failure: last && toLastFailure(last, provider.id),
  };
}

function toLastFailure({ model, failure, atMs }: LastFailure, provider: string) {
  return {
    model,
    at: toUnixSeconds(atMs),
    status: failure.upstreamStatus,
    cause: causeOf(failure, { provider, model }),
  };
}
