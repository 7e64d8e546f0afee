import { MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { ClockAndRandom } from "../../clock";
import { AddressNotAllowed } from "../../http/outbound/allowed-addresses";
import type { CatalogueModel } from "../../models/catalogue";
import { Refusal } from "../../refusal";
import { findConnection, openConnection, type ProviderConnection } from "../provider-connection";
import { type FailureCause, ProviderRefusal, providerSaturated } from "../provider-failure";
import { isKeysFailure } from "../provider-keys";
import type { ProjectKeyPair, Providers } from "../provider-link";
import { FieldRefusal } from "../refused-fields";
import { type MeasuredOrder, orderRoutes } from "./order-routes";

interface RoutingContext extends Providers {
  readonly runtime: Pick<ClockAndRandom, "random">;
}

interface RoutedCall {
  readonly model: Pick<CatalogueModel, "id" | "routes" | "contextWindow">;
  readonly pair: ProjectKeyPair;
  readonly isStream?: boolean;
  /** What the provider of a route charges for the call, as far as that is known before it is sent. */
  estimateCost?(route: ModelRoute): bigint;
  /** Names the session that the call belongs to. Called only where there is a choice of routes or keys. */
  findSession(): string | null;
  /** Names the account or server that alone can read a part of the call; null for none. Called like `findSession`. */
  findMaker?(): string | null;
}

/** The part of the calls of groups in the order of latency that go by weight. */
const EXPLORED = 0.05;

/**
 * The way of one call through its model's routes. Calls of one session go the same way, and first to the route of a
 * group that answered the session last. What only one account can read goes there as long as that answers.
 */
export class RouteWalk {
  /** In the order in which they are tried. */
  readonly #routes: readonly ModelRoute[];
  /** Null for none, and where the call has no choice. */
  readonly #session: bigint | null = null;
  readonly #tried: ModelRoute[] = [];

  constructor(
    private readonly context: RoutingContext,
    private readonly call: RoutedCall,
  ) {
    const { routes, id } = call.model;
    this.#routes = routes;
    if (routes.length === 1 && !this.#hasSeveralKeys(routes[0])) return;
    const { sessions } = context.links;
    const name = call.findSession();
    const session = name === null ? null : hash(`${call.pair.projectId}\n${id}\n${name}`);
    const stay = session === null ? undefined : sessions.find(session, routes);
    const draw = (route: ModelRoute) => {
      if (session === null) return this.#drawAtRandom();
      if (this.#hasJustFailed(route)) return 0;
      return route === stay ? 1 : drawFor(session, route);
    };
    this.#session = session;
    const nowMs = context.links.nowMs();
    const measure = routes.some(({ order }) => order && order !== "weight") ? this.#measure(stay) : undefined;
    this.#routes = this.#makerFirst(orderRoutes(routes, { nowMs, draw, measure }));
  }

  /** A few calls know no latency and go by weight, so that a route that was slow is met again. */
  #measure(stay: ModelRoute | undefined) {
    const isExploring = stay === undefined && this.#drawAtRandom() < EXPLORED;
    const { directory, links } = this.context;
    return (route: ModelRoute, order: MeasuredOrder) => {
      const provider = directory.find(route.provider);
      if (!provider || (isExploring && order === "latency")) return null;
      if (this.#hasJustFailed(route)) return Number.MAX_VALUE;
      if (route === stay) return -1;
      if (order === "price") return Number(this.call.estimateCost?.(route) ?? 0n);
      return links.to(provider).latencies.medianMs(route.model, this.call.isStream === true);
    };
  }

  /** A call that only one account can read whole goes there first, also from another group. */
  #makerFirst(routes: readonly ModelRoute[]): readonly ModelRoute[] {
    const maker = this.call.findMaker?.() ?? null;
    if (maker === null) return routes;
    const { directory, links } = this.context;
    const isMaker = ({ provider }: ModelRoute) => {
      const found = directory.find(provider);
      const link = found && links.to(found);
      return link?.account === maker || link?.origin === maker;
    };
    return [...routes.filter(isMaker), ...routes.filter((route) => !isMaker(route))];
  }

  #hasSeveralKeys(route: ModelRoute | undefined): boolean {
    const provider = route && this.context.directory.find(route.provider);
    return provider !== undefined && provider.keys.length > 1;
  }

  /** A session goes to such a route last; other calls find out whether it answers again. */
  #hasJustFailed({ provider, model }: ModelRoute): boolean {
    const { directory, links } = this.context;
    const found = directory.find(provider);
    return found !== undefined && links.to(found).circuits.hasJustFailed(model);
  }

  /** The first connection. @throws Refusal 502 or 503 where no route has a place. */
  begin(): ProviderConnection {
    return openConnection(this.context, this.#routes, { pair: this.call.pair, session: this.#session });
  }

  /** The next attempt after a failure before any answer; null where the call ends. @throws Refusal as `chooseRoute`. */
  goOn(failed: ProviderConnection, failure: unknown, elapsedMs: number): NextAttempt | null {
    this.#tried.push(failed.route);
    return chooseRoute(this.context, {
      routes: this.#routes,
      tried: this.#tried,
      contextWindow: this.call.model.contextWindow,
      failed,
      failure,
      session: this.#session,
      elapsedMs,
      jitter: () => this.#drawAtRandom(),
    });
  }

  noteAnswered(route: ModelRoute): void {
    if (this.#session !== null) this.context.links.sessions.note(this.#session, route);
  }

  /** @returns a number between 0 and 1, without either. */
  #drawAtRandom(): number {
    const { buffer, byteOffset } = this.context.runtime.random(4);
    return toFraction(new DataView(buffer, byteOffset).getUint32(0));
  }
}

const hash = (text: string) => BigInt(Bun.hash(text));
const toFraction = (number: number) => (number + 0.5) / 2 ** 32;

const drawFor = (session: bigint, { provider, model }: ModelRoute) =>
  toFraction(Number(hash(`${session}\n${provider}\n${model}`) & 0xffffffffn));

/** How often a call is sent at most. Attempts that no server took don't count. */
const MAX_SENT = 3;
/** No attempt begins later, so that a call ends before its hold: clients wait for ten minutes. */
const ATTEMPTS_WITHIN_MS = 11 * MINUTE_MS;
/** A route that took longer to fail is not asked again by the same call. */
const QUICK_MS = 30 * SECOND_MS;
/** The longest rest that is waited for where there is no other route. */
const LONGEST_WAIT_MS = 2 * SECOND_MS;
/** A field is refused at once. Later, a repeat could outlive the call's hold. */
const FIELD_REPEAT_MS = MINUTE_MS;

interface FailedAttempt {
  /** The call's routes, in the order in which it tries them. */
  readonly routes: readonly ModelRoute[];
  /** Those that it has tried. */
  readonly tried: readonly ModelRoute[];
  /** The window of the model; null if it isn't known. */
  readonly contextWindow: number | null;
  readonly failed: ProviderConnection;
  readonly failure: unknown;
  readonly session: bigint | null;
  /** Since the call's first connection. */
  readonly elapsedMs: number;
  /** Between 0 and 1. */
  readonly jitter: () => number;
}

/** The next attempt of a call, to be sent after a wait. */
interface NextAttempt {
  readonly connection: ProviderConnection;
  readonly waitMs: number;
}

/**
 * Decides where a call goes on after a failure, before anything was answered: on the next route that may help, or once
 * more on the same one where there is no other. Null where it ends.
 * @throws Refusal 503 where the provider would be asked again for a refused field and has no place.
 */
function chooseRoute(providers: Providers, attempt: FailedAttempt): NextAttempt | null {
  const { failed, failure, elapsedMs } = attempt;
  if (failed.wasEndedByCaller) return null;
  if (failure instanceof FieldRefusal) return repeatWithoutField(providers, attempt);
  const cause = findCause(failure);
  const sentBefore = failed.sentBefore + (failed.isSent ? 1 : 0);
  if (cause === null || sentBefore >= MAX_SENT || elapsedMs > ATTEMPTS_WITHIN_MS) return null;
  const { pair, link, route } = failed;
  const { session } = attempt;
  if (isKeysFailure(failure) && link.keys.areSeveral && link.keys.leftMs(route.model) === 0) {
    const byAnotherKey = findConnection(providers, { routes: [route], pair, session, sentBefore });
    if (byAnotherKey) return { connection: byAnotherKey, waitMs: 0 };
  }
  const routes = attempt.routes.filter(
    (other) => !attempt.tried.includes(other) && mayHelp(other, cause, attempt),
  );
  const connection =
    routes.length > 0 ? findConnection(providers, { routes, pair, session, sentBefore }) : null;
  if (connection) return { connection, waitMs: 0 };
  const waitMs = failed.isRepeat ? null : findRepeatWait(cause, attempt);
  if (waitMs === null) return null;
  const again = findConnection(providers, { routes: [route], pair, session, sentBefore, isRepeat: true });
  return again && { connection: again, waitMs };
}

/** Null for what is no failure of a provider, or came after its answer had begun: such a call doesn't go on. */
function findCause(failure: unknown): FailureCause | null {
  if (failure instanceof ProviderRefusal) return failure.why === "odd_answer" ? null : failure.why;
  return failure instanceof Refusal && failure.code === "context_length_exceeded" ? "context_too_long" : null;
}

/** Whether another route may answer what one has failed with this cause. */
function mayHelp(
  route: ModelRoute,
  cause: FailureCause,
  { failed, contextWindow }: Pick<FailedAttempt, "failed" | "contextWindow">,
): boolean {
  if (cause === "no_connection" || cause === "empty_account") return route.provider !== failed.route.provider;
  if (cause !== "context_too_long") return true;
  const [window, tooShort] = [route, failed.route].map((one) => one.context_window ?? contextWindow);
  return !!window && !!tooShort && window > tooShort;
}

/** How long to wait before the same route is asked again; null where that is of no use. */
function findRepeatWait(
  cause: FailureCause,
  { failed, failure, jitter }: Pick<FailedAttempt, "failed" | "failure" | "jitter">,
): number | null {
  if (cause === "stale_connection") return 0;
  if (cause !== "server_error" && cause !== "lost_connection" && cause !== "no_connection") return null;
  const tookMs = failed.link.clock.monotonicMs() - failed.startedAtMs;
  const { restMs = null, cause: reason = null } = failure instanceof ProviderRefusal ? failure : {};
  if (tookMs > QUICK_MS || (restMs ?? 0) > LONGEST_WAIT_MS || reason instanceof AddressNotAllowed)
    return null;
  return Math.round((restMs ?? 50) + 200 * jitter());
}

/** The same provider again, at once: it refused a field of the gateway, and has generated nothing. */
function repeatWithoutField(
  providers: Providers,
  { elapsedMs, failed: { route, pair, sentBefore, isRepeat } }: FailedAttempt,
): NextAttempt | null {
  if (elapsedMs > FIELD_REPEAT_MS) return null;
  const connection = findConnection(providers, { routes: [route], pair, sentBefore, isRepeat });
  if (!connection) throw providerSaturated();
  return { connection, waitMs: 0 };
}

const billed: ReadonlySet<FailureCause | null> = new Set([
  "lost_connection",
  "no_first_byte",
  "timed_out",
  "server_error",
]);

/** Statuses by which a server says that it has done nothing. */
const untouched: ReadonlySet<number | null> = new Set([502, 503, 529]);

/** Whether a provider may bill an attempt that failed like this: it has read the request, and may have answered it. */
export function mayBeBilled(failed: ProviderConnection, failure: unknown): boolean {
  if (!failed.isSent || failed.wasEndedByCaller || !(failure instanceof ProviderRefusal)) return false;
  return billed.has(failure.why) && !untouched.has(failure.upstreamStatus);
}
