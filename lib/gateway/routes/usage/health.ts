import { isFailing } from "@/lib/contract/calls/request-outcomes";
import { DAY_MS } from "@/lib/contract/durations";
import type { Health } from "@/lib/contract/operations/usage/health";
import { toUnixSeconds } from "../../clock";
import type { ModelHealthReader } from "../../log/usage/model-health.sql";
import type { ModelContext } from "../../models/models";
import type { Provider } from "../../models/providers/provider-directory";
import { closeCircuit } from "../../models/providers/providers";
import type { OpenCircuit } from "../../providers/circuit";
import { describeFailureCause } from "../../providers/explain-failure";
import type { LastFailure, ProviderLinks } from "../../providers/provider-link";
import type { Handlers } from "../handler";

interface Context extends ModelContext {
  readonly health: ModelHealthReader;
  readonly links: ProviderLinks;
}

export function healthRoutes(context: Context): Handlers<"retrieveHealth" | "closeCircuit"> {
  const { directory, runtime } = context;
  return {
    retrieveHealth: async ({ query: { failing = false } }) => {
      const fromMs = runtime.clock.nowMs() - DAY_MS;
      const models = await listModelsSince(context, fromMs);
      const providers = directory.list().map((provider) => describe(context, provider));
      return {
        object: "organization.health",
        start_time: toUnixSeconds(fromMs),
        models: failing ? models.filter(isFailing) : models,
        providers: failing ? providers.filter(({ open_circuits: open }) => open.length > 0) : providers,
      };
    },
    closeCircuit: async ({ params: { provider_id: id }, body: { model }, request }) => {
      await closeCircuit(context, request, { providerId: id, model });
      return { object: "organization.provider.circuit.closed", id, model, closed: true };
    },
  };
}

async function listModelsSince({ health, catalogue }: Context, fromMs: number): Promise<Health["models"]> {
  const healthByModel = new Map((await health.modelHealth(fromMs)).map((one) => [one.model, one]));
  return catalogue.list().map(({ id, routes }) => {
    const modelHealth = healthByModel.get(id);
    return {
      id,
      providers: [...new Set(routes.map(({ provider }) => provider))],
      calls: modelHealth?.calls ?? 0,
      errors: modelHealth?.errors ?? 0,
      first_byte_p50_ms: modelHealth?.firstByteP50Ms ?? null,
      first_byte_p95_ms: modelHealth?.firstByteP95Ms ?? null,
      tokens_per_second: modelHealth?.tokensPerSecond ?? null,
    };
  });
}

function describe({ links, catalogue }: Context, provider: Provider): Health["providers"][number] {
  const link = links.to(provider);
  const { calls, max } = link.load;
  const last = link.failures.last();
  return {
    id: provider.id,
    calls_under_way: calls,
    max_calls_under_way: Number.isFinite(max) ? max : null,
    last_failure: last && toLastFailure(last, provider.id),
    // Leaves out circuits of models that no route leads to any more, since they never get a trial.
    open_circuits: link.circuits
      .list()
      .filter(({ model }) => catalogue.hasRoute(provider.id, model))
      .map((circuit) => toOpenCircuit(circuit, { provider: provider.id, nowMs: links.nowMs() })),
  };
}

function toOpenCircuit(
  { model, failures, threshold, sinceMs, nextTryAtMs, isTrying, lastFailure }: OpenCircuit,
  { provider, nowMs }: { readonly provider: string; readonly nowMs: number },
): Health["providers"][number]["open_circuits"][number] {
  return {
    model,
    failures,
    threshold,
    since: toUnixSeconds(sinceMs),
    next_try_at: nextTryAtMs <= nowMs ? null : toUnixSeconds(nextTryAtMs),
    is_trying: isTrying,
    cause: describeFailureCause(lastFailure, { provider, model }),
  };
}

function toLastFailure({ model, failure, atMs }: LastFailure, provider: string) {
  return {
    model,
    at: toUnixSeconds(atMs),
    status: failure.upstreamStatus,
    cause: describeFailureCause(failure, { provider, model }),
  };
}
