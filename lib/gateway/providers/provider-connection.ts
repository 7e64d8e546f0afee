import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { ConnectTimeout, isUnsent } from "../http/outbound/allowed-addresses";
import type { SentRequest, ServerReply } from "../http/outbound/server-reply";
import { Refusal } from "../refusal";
import type { CallDeadline } from "./call-deadlines";
import type { Trial } from "./circuit";
import type { ProviderClient, ProviderRequest } from "./provider-client";
import {
  type FailureCause,
  providerFailed,
  providerSaturated,
  providerTooSlow,
  providerUnreachable,
} from "./provider-failure";
import type { UsedKey } from "./provider-keys";
import {
  ALIVE_MS,
  findCircuitRefusal,
  type ProjectKeyPair,
  type ProviderLink,
  type Providers,
} from "./provider-link";

/** A kept connection that the provider had closed fails within this time. A later reset may come after the request. */
const STALE_MS = 1_000;

/** The most that is read of what follows a reply's last needed byte. */
const MAX_BYTES_BEHIND = 64 * 1024;

/** Why the gateway canceled a call to a provider. */
export type Cutoff = "client gone" | "access ended" | "too slow" | "unreachable" | "finished";

/** A call whose place at the provider is reserved. */
interface ReservedCall {
  readonly route: ModelRoute;
  readonly pair: ProjectKeyPair;
  /** How often the call was sent before, in attempts that failed. */
  readonly sentBefore?: number;
  /** Whether the call has failed on the same route, so that a further failure says nothing more of its provider. */
  readonly isRepeat?: boolean;
  /** Names the session that the call belongs to; its calls share a key. */
  readonly session?: bigint | null;
  /** Set where the call tests a provider whose circuit is open. */
  readonly trial?: Trial | null;
}

/** Is told what happens to a connection while its call waits. */
export interface ConnectionWatcher {
  /** The call is still under way at the first check of its deadlines. */
  onLongCall(): void;
  /** The call was canceled: its client or its access is gone, or its deadline has passed. */
  onCut(): void;
}

/** One call to a provider. It counts as one of the provider's concurrent calls until it ends, however it ends. */
export class ProviderConnection {
  #sent: SentRequest | null = null;
  #deadline: CallDeadline | null = null;
  #cutoff: Cutoff | null = null;
  #accessEnded: Refusal | null = null;
  #giveUpWaiting: (() => void) | null = null;
  #isOver = false;
  #isFinished = false;
  #isStream = false;
  /** When the connection began, for the receipt; the times of this class are on the monotonic clock. */
  readonly startedAtMs: number;
  #reachedAtMs: number | null = null;
  sentAtMs: number | null = null;
  answeredAtMs: number | null = null;
  reply: ServerReply | null = null;
  #watcher: ConnectionWatcher | null = null;
  /** Fields of the gateway that this attempt was sent without. */
  leftOut: readonly string[] = [];
  /** The error code of a failed attempt. */
  failure: string | null = null;

  readonly route: ModelRoute;
  readonly pair: ProjectKeyPair;
  readonly sentBefore: number;
  readonly isRepeat: boolean;
  /** The provider's key that the call is sent with. */
  readonly key: UsedKey;
  readonly #trial: Trial | null;

  constructor(
    readonly link: ProviderLink,
    { route, pair, sentBefore = 0, isRepeat = false, session = null, trial = null }: ReservedCall,
  ) {
    this.route = route;
    this.pair = pair;
    this.sentBefore = sentBefore;
    this.isRepeat = isRepeat;
    this.key = link.keys.choose(route.model, session);
    this.#trial = trial;
    this.startedAtMs = link.clock.monotonicMs();
  }

  get client(): ProviderClient {
    return this.key.client;
  }

  get cutoff(): Cutoff | null {
    return this.#cutoff;
  }

  /** The answer is whole. What the provider adds, such as its usage, has to come soon. */
  noteFinished(): void {
    this.#isFinished = true;
    if (this.#deadline) this.link.deadlines.finish(this.#deadline);
  }

  /** Whether the client or a revoked access ended it. */
  get wasEndedByCaller(): boolean {
    return this.#cutoff === "client gone" || this.#cutoff === "access ended";
  }

  /** Whether the provider may have read the request. */
  get isSent(): boolean {
    return this.#deadline !== null;
  }

  get reachedAtMs(): number | null {
    return this.#reachedAtMs;
  }

  /** The provider accepts connections. */
  noteReached(): void {
    this.#reachedAtMs = this.link.clock.monotonicMs();
  }

  /** Sends the request. From here on the provider may read it. @throws Refusal where the call is already over. */
  send(request: ProviderRequest, watcher: ConnectionWatcher): Promise<ServerReply> {
    if (this.#accessEnded) throw this.#accessEnded;
    if (this.#isOver) throw providerFailed(`The call ended before it was sent: ${this.#cutoff}`);
    this.#watcher = watcher;
    this.#isStream = request.stream;
    this.sentAtMs = this.link.clock.monotonicMs();
    this.#deadline = this.link.deadlines.begin(this, request);
    const sent = this.key.client.send?.(request);
    if (!sent) throw new TypeError("A provider that only makes files was sent a call");
    this.#sent = sent;
    return sent.reply;
  }

  /** The head of the reply has arrived. Many servers send it before their model has begun to think. */
  noteAnswered(reply: ServerReply): void {
    this.answeredAtMs = this.link.clock.monotonicMs();
    this.reply = reply;
    this.link.noteAnswered(this.answeredAtMs);
  }

  /** Records that the provider has sent a part of its answer. */
  noteProgress(): void {
    if (!this.#deadline || this.#deadline.hasAnswered) return;
    this.#deadline.hasAnswered = true;
    const tookMs = this.link.clock.monotonicMs() - (this.sentAtMs ?? 0);
    this.link.latencies.note(this.route.model, this.#isStream, tookMs);
  }

  onLongCall(): void {
    this.#watcher?.onLongCall();
  }

  /**
   * Checks whether a silent provider is still there. One that refuses new connections may still be finishing its last
   * calls, and would close this connection if it had lost the call. One that answers during the check is there.
   */
  onSilence(): void {
    const sinceMs = Math.max(this.sentAtMs ?? 0, this.link.clock.monotonicMs() - ALIVE_MS);
    this.link.reach(sinceMs)?.catch((error: unknown) => {
      const hasAnswered = this.link.hasAnsweredSince(sinceMs);
      if (error instanceof ConnectTimeout && !hasAnswered) this.cut("unreachable");
    });
  }

  onExpiry(): void {
    this.cut(this.#isFinished ? "finished" : "too slow");
  }

  cut(reason: Exclude<Cutoff, "access ended">): void {
    this.#cutOff(reason);
  }

  /** Cuts a call whose caller has lost access. @param refusal what the caller is told. */
  endAccess(refusal: Refusal): void {
    if (this.#isOver || this.#cutoff) return;
    this.#accessEnded = refusal;
    this.#cutOff("access ended");
  }

  #cutOff(reason: Cutoff): void {
    if (this.#isOver) return;
    this.#cutoff ??= reason;
    this.close();
    this.#giveUpWaiting?.();
    this.#watcher?.onCut();
  }

  /** Why the caller may not go on; null unless `cutoff` is "access ended". */
  get accessEnded(): Refusal | null {
    return this.#accessEnded;
  }

  /** Calls `giveUp` if the call is canceled while its reply waits for memory; null once it waits no more. */
  giveUpWith(giveUp: (() => void) | null): void {
    this.#giveUpWaiting = giveUp;
  }

  /** Records that reading pauses although the provider could go on. */
  notePause(): void {
    this.noteProgress();
  }

  /** How long reading may pause after progress before a deadline passes, in milliseconds. */
  allowedPauseMs(): number {
    return this.#deadline ? this.link.deadlines.allowedPauseMs(this.#deadline) : 0;
  }

  /** Ends the call after the provider's complete reply. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#deadline) this.link.deadlines.end(this.#deadline);
    this.link.leave(this.pair);
    this.#trial?.end();
  }

  /**
   * Ends the call after a reply's last needed byte. Its connection is kept where the reply then ends soon: some servers
   * send their last events one by one.
   */
  async endBehind(reply: Pick<ServerReply, "read">): Promise<void> {
    this.noteFinished();
    try {
      for (let bytes = 0; bytes <= MAX_BYTES_BEHIND; ) {
        const after = await reply.read();
        if (after === null) return this.end();
        bytes += after.byteLength;
      }
    } catch {}
    this.close();
  }

  /** Ends the call at once and closes its connection. */
  close(): void {
    this.end();
    this.#sent?.cancel();
  }

  /** Records why this call failed, unless the client or a revoked access ended it. */
  noteFailure(error: unknown, { isProvidersFault } = { isProvidersFault: true }): void {
    if (this.wasEndedByCaller) return;
    if (error instanceof Refusal) this.failure = error.code;
    this.link.failures.note(this.route.model, error);
    if (isProvidersFault && !this.isRepeat)
      this.link.circuits.noteFailure(this.route.model, error, this.#trial);
  }

  /** The provider's stream has begun. */
  noteStreamBegan(): void {
    if (this.#trial) this.link.circuits.noteStreamBegan(this.route.model, this.#trial);
  }

  /** Records that the provider answered, or refused the call through the caller's fault. */
  noteSuccess(): void {
    const { circuits } = this.link;
    if (!circuits.isQuiet) circuits.noteSuccess(this.route.model, this.#trial);
  }

  /** The refusal for an error while waiting for the provider. */
  describeFailure(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (this.#accessEnded) return this.#accessEnded;
    if (error instanceof ConnectTimeout) return providerUnreachable(error, "no_connection");
    if (this.#cutoff === "unreachable")
      return providerUnreachable("It accepts no connection any more", "lost_connection");
    if (this.#cutoff === "too slow")
      return providerTooSlow("It was slower than its timeouts allow", "no_first_byte");
    return providerFailed(error, this.#findCause(error));
  }

  /** Null once its client may have seen a part of the answer. */
  #findCause(error: unknown): FailureCause | null {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (isUnsent(error)) return "no_connection";
    if (this.reply !== null) return this.#isStream ? null : "lost_connection";
    const isStale = code === "ECONNRESET" && this.link.clock.monotonicMs() - (this.sentAtMs ?? 0) < STALE_MS;
    return isStale ? "stale_connection" : "lost_connection";
  }
}

/**
 * Reserves a place at the first route's provider that has one and whose circuit is closed.
 * @throws Refusal 502 or 503 where none has.
 */
export function openConnection(
  providers: Providers,
  routes: readonly ModelRoute[],
  { pair, session }: Pick<AskedRoutes, "pair" | "session">,
): ProviderConnection {
  const connection = findConnection(providers, { routes, pair, session });
  if (connection) return connection;
  const refusal = findCircuitRefusal(providers, routes);
  if (refusal) throw refusal;
  if (routes.some(({ provider }) => providers.directory.find(provider))) throw providerSaturated();
  throw providerFailed("None of the model's routes names a provider there is");
}

/** Like `openConnection`; null where no provider has a place. One that wants to be left alone is asked last. */
export function findConnection(providers: Providers, asked: AskedRoutes): ProviderConnection | null {
  const awake = asked.routes.length > 1 ? reserve(providers, asked, true) : null;
  return awake ?? reserve(providers, asked, false);
}

interface AskedRoutes {
  readonly routes: readonly ModelRoute[];
  readonly pair: ProjectKeyPair;
  readonly session?: bigint | null;
  readonly sentBefore?: number;
  readonly isRepeat?: boolean;
}

function reserve(
  { directory, links }: Providers,
  { routes, ...reserved }: AskedRoutes,
  skipsResting: boolean,
): ProviderConnection | null {
  for (const route of routes) {
    const provider = directory.find(route.provider);
    const link = provider && links.to(provider);
    if (!link || link.circuits.refusing(route.model)) continue;
    if ((skipsResting && link.keys.leftMs(route.model) > 0) || !link.enter(reserved.pair)) continue;
    const trial = link.circuits.begin(route.model);
    return new ProviderConnection(link, { route, ...reserved, trial });
  }
  return null;
}
