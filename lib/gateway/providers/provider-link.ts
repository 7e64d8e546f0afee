import type { OutputLimitField, ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { Provider, ProviderLimits } from "../models/providers/provider-directory";
import { CallDeadlines } from "./call-deadlines";
import { Circuits, Misconfigurations } from "./circuit";
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
