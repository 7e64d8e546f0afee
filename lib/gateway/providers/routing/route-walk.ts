import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { ClockAndRandom } from "../../clock";
import type { CatalogueModel } from "../../models/catalogue";
import { openConnection } from "../open-connection";
import type { ProviderConnection } from "../provider-connection";
import type { ProjectKeyPair } from "../provider-link";
import type { Providers } from "../provider-links";
import { chooseRoute, type NextAttempt } from "./choose-route";
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
