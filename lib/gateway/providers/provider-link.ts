import type { OutputLimitField, ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { TableCache } from "../changes/table-cache";
import type { Clock } from "../clock";
import type { Provider, ProviderDirectory, ProviderLimits } from "../models/providers/provider-directory";
import { Refusal, retryAfter } from "../refusal";
import { CallDeadlines } from "./call-deadlines";
import { Circuits, Misconfigurations, type OpenCircuit } from "./circuit";
import { describeFailureCause } from "./explain-failure";
import type { ProviderClient } from "./provider-client";
import { ProviderRefusal } from "./provider-failure";
import { hintAtKey, ProviderKeys, type UsedKey } from "./provider-keys";
import { createProviderClient, providerKinds } from "./provider-kinds";
import { RefusedFields } from "./refused-fields";
import { toAccount, toOrigin } from "./server-origin";

/**
 * A key may have up to `KEY_SHARE` times as many places as are free, a project up to `PROJECT_SHARE` times. So a single
 * key gets at most three quarters of all places, a single project eight ninths; with others, each gets fewer. Another
 * project always finds a free place.
 */
const KEY_SHARE = 3;
const PROJECT_SHARE = 8;

/** The project and key of a call, which have their shares of the places. */
export interface ProjectKeyPair {
  readonly projectId: string;
  readonly keyId: string;
}

/** A provider that answered within this time is not checked again. */
export const ALIVE_MS = 10_000;

/** The runtime state of a provider: how to call it, how many calls it has, and when it last answered. */
export class ProviderLink {
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #calls = 0;
  readonly #callCounts = new Map<string, number>();
  #reaching: Promise<void> | null = null;
  readonly misconfigurations: Misconfigurations;
  readonly failures: ProviderFailures;
  readonly baseUrl: string;
  /** The account at its server, by its host and key, as a hash: what it encrypts can only be read with that key. */
  readonly account: string;
  /** The server, by its host, as a hash. */
  readonly origin: string;
  readonly #protocols: readonly ProviderProtocol[];
  /** The name of the provider's request field for the output limit, by its settings. */
  readonly outputLimitField: OutputLimitField;
  readonly refusedFields: RefusedFields;
  /** Whether each stream event with text is exactly one token. */
  readonly isTokenPerEvent: boolean;
  readonly deadlines: CallDeadlines;
  readonly circuits: Circuits;
  readonly keys: ProviderKeys;
  readonly latencies: Latencies;
  private readonly limits: ProviderLimits;

  constructor(
    provider: Provider,
    readonly clock: Clock,
    createClient: typeof createProviderClient = createProviderClient,
  ) {
    const [first, ...further] = provider.keys.map(({ id, secret }): UsedKey => {
      const client = createClient({ ...provider, apiKey: secret }, clock);
      return { id, hint: hintAtKey(secret.reveal()), client };
    });
    const clients = [
      first ?? { id: "", hint: null, client: createClient(provider, clock) },
      ...further,
    ] as const;
    const { limits, outputLimitField, refusedFields, baseUrl } = provider;
    const { answers } = providerKinds[provider.kind];
    this.baseUrl = baseUrl;
    this.origin = toOrigin(baseUrl);
    this.account = toAccount(provider);
    this.#protocols = provider.protocols;
    this.misconfigurations = new Misconfigurations(clock);
    this.failures = new ProviderFailures(clock);
    this.outputLimitField = outputLimitField ?? answers?.defaultOutputLimitField(baseUrl) ?? "max_tokens";
    this.refusedFields = new RefusedFields(refusedFields, this.outputLimitField);
    this.isTokenPerEvent = answers?.isTokenPerEvent ?? false;
    this.deadlines = new CallDeadlines(limits, clock, () => this.noteAnswered());
    this.circuits = new Circuits(limits.circuit, clock);
    this.keys = new ProviderKeys(clients, clock);
    this.latencies = new Latencies(clock);
    this.limits = limits;
  }

  /**
   * The protocol in which a call of chat is sent: its own if the server speaks that, else the first that it speaks of
   * those that others are translated to.
   */
  chooseProtocol(own: ProviderProtocol): ProviderProtocol {
    if (this.#protocols.includes(own)) return own;
    return this.#protocols.find((protocol) => protocol !== "responses") ?? "chat";
  }

  /** Shows the first of its keys. */
  get client(): ProviderClient {
    return this.keys.first.client;
  }

  /** How many calls it has, and its maximum. */
  get load(): { readonly calls: number; readonly max: number } {
    return { calls: this.#calls, max: this.limits.maxConcurrentRequests };
  }

  /** Reserves a place. @returns false where all places are taken or the pair has its share. */
  enter({ projectId, keyId }: ProjectKeyPair): boolean {
    const free = this.limits.maxConcurrentRequests - this.#calls;
    const ofKey = this.#callCounts.get(keyId) ?? 0;
    const ofProject = this.#callCounts.get(projectId) ?? 0;
    if (free <= 0 || ofKey >= free * KEY_SHARE || ofProject >= free * PROJECT_SHARE) return false;
    this.#calls++;
    this.#callCounts.set(keyId, ofKey + 1);
    this.#callCounts.set(projectId, ofProject + 1);
    return true;
  }

  /** Frees the place of a call that has ended. */
  leave({ projectId, keyId }: ProjectKeyPair): void {
    this.#calls--;
    this.#countDown(keyId);
    this.#countDown(projectId);
  }

  #countDown(id: string): void {
    const calls = this.#callCounts.get(id) ?? 0;
    if (calls > 1) this.#callCounts.set(id, calls - 1);
    else this.#callCounts.delete(id);
  }

  /** Records that the provider has sent something. @param nowMs on the monotonic clock. */
  noteAnswered(nowMs = this.clock.monotonicMs()): void {
    this.#answeredAtMs = nowMs;
  }

  /** @param sinceMs on the monotonic clock. */
  hasAnsweredSince(sinceMs: number): boolean {
    return this.#answeredAtMs > sinceMs;
  }

  /**
   * Resolves once the provider is known to accept connections; null where it has answered since `sinceMs`. Concurrent
   * callers share one attempt. Rejects with the network's error.
   * @param sinceMs on the monotonic clock.
   */
  reach(sinceMs = this.clock.monotonicMs() - ALIVE_MS): Promise<void> | null {
    if (!this.client.reach || this.hasAnsweredSince(sinceMs)) return null;
    this.#reaching ??= this.#reach(this.client.reach(this.limits.connectMs));
    return this.#reaching;
  }

  async #reach(reached: Promise<void>): Promise<void> {
    try {
      await reached;
      this.noteAnswered();
    } finally {
      this.#reaching = null;
    }
  }
}

/** The last failure of a provider for one model. */
export interface LastFailure {
  /** The model's name at the provider. */
  readonly model: string;
  readonly failure: ProviderRefusal;
  readonly atMs: number;
}

/** Each provider's last failure, by model. Kept in memory. */
class ProviderFailures {
  readonly #byModel = new Map<string, LastFailure>();

  constructor(private readonly clock: Pick<Clock, "nowMs">) {}

  /** Records failures of the provider only, not clients that left or invalid requests. */
  note(model: string, failure: unknown): void {
    if (!(failure instanceof ProviderRefusal) || failure.status === 400) return;
    this.#byModel.set(model, { model, failure, atMs: this.clock.nowMs() });
  }

  /** The most recent failure; null where there is none. */
  last(): LastFailure | null {
    return [...this.#byModel.values()].reduce<LastFailure | null>(
      (latest, one) => (latest === null || one.atMs >= latest.atMs ? one : latest),
      null,
    );
  }

  ofModel(model: string): LastFailure | null {
    return this.#byModel.get(model) ?? null;
  }
}

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_SAMPLES = 64;

interface Sample {
  readonly ms: number;
  readonly atMs: number;
}

/** How long a provider's models took of late until the first byte of an answer. In memory, in each process. */
class Latencies {
  readonly #samples = new Map<string, Sample[]>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** @param isStream whether the answer was streamed: a whole one comes once it is written. */
  note(model: string, isStream: boolean, ms: number): void {
    const name = nameKind(model, isStream);
    const samples = this.#samples.get(name) ?? [];
    if (samples.length === 0) this.#samples.set(name, samples);
    samples.push({ ms, atMs: this.clock.monotonicMs() });
    if (samples.length > MAX_SAMPLES) samples.shift();
  }

  /** The median of the last 15 minutes, in milliseconds; null where nothing was answered in them. */
  medianMs(model: string, isStream: boolean): number | null {
    const sinceMs = this.clock.monotonicMs() - WINDOW_MS;
    const recent = this.#samples.get(nameKind(model, isStream))?.filter(({ atMs }) => atMs >= sinceMs) ?? [];
    const sorted = recent.map(({ ms }) => ms).toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  }
}

const nameKind = (model: string, isStream: boolean) => `${isStream ? "stream" : "whole"} ${model}`;

/** The configured and stored providers, and the links to them. */
export interface Providers {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
}

/** The link to each provider, created on its first call and dropped with the provider. */
export class ProviderLinks {
  readonly #byProvider = new WeakMap<Provider, ProviderLink>();
  readonly sessions: StickySessions;

  constructor(
    private readonly clock: Clock,
    private readonly createClient = createProviderClient,
  ) {
    this.sessions = new StickySessions(clock);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  /** All open circuit breakers of this process. */
  openCircuits(directory: Pick<ProviderDirectory, "list">): { provider: string; model: string }[] {
    return directory.list().flatMap((provider) =>
      this.to(provider)
        .circuits.list()
        .map(({ model }) => ({ provider: provider.id, model })),
    );
  }

  /** Follows the circuit breakers that are closed by hand, in any process. */
  followingClosings(directory: Pick<ProviderDirectory, "find">): TableCache {
    return {
      load: async () => {},
      reread: {
        circuit_closings: async ({ id, subjectId }) => {
          const provider = directory.find(id);
          if (provider && subjectId !== null) this.to(provider).circuits.close(subjectId);
        },
      },
    };
  }

  to(provider: Provider): ProviderLink {
    let link = this.#byProvider.get(provider);
    if (!link) {
      link = new ProviderLink(provider, this.clock, this.createClient);
      this.#byProvider.set(provider, link);
    }
    return link;
  }
}

/**
 * Returns a 503 if the circuits of all routes are open: the refusal of the route that is tried again first. Null
 * if any route's circuit lets the call pass, even if its provider has no free place.
 */
export function findCircuitRefusal(
  { directory, links }: Providers,
  routes: readonly ModelRoute[],
): Refusal | null {
  let soonest: { readonly route: ModelRoute; readonly circuit: OpenCircuit } | null = null;
  for (const route of routes) {
    const provider = directory.find(route.provider);
    if (!provider) continue;
    const circuit = links.to(provider).circuits.refusing(route.model);
    if (!circuit) return null;
    if (!soonest || circuit.nextTryAtMs < soonest.circuit.nextTryAtMs) soonest = { route, circuit };
  }
  return soonest && circuitOpen(soonest.route, soonest.circuit, links.nowMs());
}

/** Only callers who may read providers see which provider it is, and why it failed. */
function circuitOpen(route: ModelRoute, circuit: OpenCircuit, nowMs: number): Refusal {
  const { failures, threshold, nextTryAtMs, isTrying, lastFailure } = circuit;
  const waitMs = Math.max(1_000, Math.ceil(nextTryAtMs - nowMs));
  const seconds = Math.ceil(waitMs / 1_000);
  const until = isTrying
    ? "until the trial call that is under way succeeds"
    : `until ${new Date(nextTryAtMs).toISOString().slice(11, 19)} UTC, when one is let through as a trial`;
  const rest = `Nothing was sent or charged; try again in ${seconds} s.`;
  const figures = { failures, threshold, retry_in_ms: waitMs };
  const message = `The circuit breaker refused the call: the model's provider has failed ${failures} calls in a row, and gets none ${until}. ${rest}`;
  const providerName = `provider "${route.provider}"`;
  return new Refusal(503, "service_error", "circuit_open", message, {
    headers: retryAfter(seconds),
    circuit: figures,
    fuller: {
      permission: "api.providers.read",
      projectId: null,
      message: `The circuit breaker of ${providerName} refused the call: it has failed ${failures} calls of "${route.model}" in a row, and gets none ${until}. ${describeFailureCause(lastFailure, route)} ${rest}`,
      circuit: { ...figures, provider: route.provider, provider_model: route.model },
    },
  });
}

const MAX_SESSIONS = 10_000;

interface Stay {
  readonly provider: string;
  readonly model: string;
  readonly untilMs: number;
}

/**
 * Which route answered each session last, so that it finds its prompt cached there: for an hour after its last call,
 * and the latest sessions only. In memory, separately in each process.
 */
class StickySessions {
  /** In the order of their last calls. */
  readonly #stays = new Map<bigint, Stay>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** The route of these that answered the session last; undefined if there is none. */
  find(session: bigint, routes: readonly ModelRoute[]): ModelRoute | undefined {
    const stay = this.#stays.get(session);
    if (!stay || stay.untilMs <= this.clock.monotonicMs()) return undefined;
    return routes.find(({ provider, model }) => provider === stay.provider && model === stay.model);
  }

  note(session: bigint, { provider, model }: ModelRoute): void {
    this.#stays.delete(session);
    this.#stays.set(session, { provider, model, untilMs: this.clock.monotonicMs() + HOUR_MS });
    if (this.#stays.size <= MAX_SESSIONS) return;
    for (const oldest of this.#stays.keys()) {
      this.#stays.delete(oldest);
      break;
    }
  }
}
