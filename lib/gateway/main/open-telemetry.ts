import { timingSafeEqual } from "node:crypto";
import type { CallTracer } from "../calls/answer-call";
import type { Exposition } from "../gateway";
import { respondWithText } from "../http/response";
import type { CallObserver, MetricSources } from "../log/telemetry/call-metrics";
import { ObservedFunds } from "../log/telemetry/observed-funds";
import type { RequestHeaders } from "../request-headers";
import { hashSecret } from "../secrets/secret";
import type { GatewayOptions } from "./gateway-options";
import type { Stores } from "./open-stores";

export interface Telemetry {
  /** The stores, with observed funds if there is an observer. */
  readonly stores: Stores;
  /** Null without a token. */
  readonly exposition: Exposition | null;
  /** Null if traces are off. */
  readonly callTracer: CallTracer | null;
  /** Sets the source of the metric of open circuit breakers. Call it before the first request. */
  watchCircuits(source: MetricSources["openCircuits"]): void;
  close(): Promise<void>;
}

/** Opens the configured telemetry, and loads its libraries only then. */
export async function openTelemetry(options: GatewayOptions, stores: Stores): Promise<Telemetry> {
  const { metricsToken, tracesUrl } = options.telemetry;
  const { monotonicMs } = options.runtime.clock;
  const observers: CallObserver[] = [];
  const funds = new ObservedFunds(stores.funds, observers, monotonicMs);
  let openCircuits: MetricSources["openCircuits"] = () => [];
  const metrics = metricsToken === null ? null : await openMetrics(stores, () => openCircuits());
  const spans = tracesUrl === null ? null : await openSpans(options, tracesUrl);
  if (metrics) observers.push(metrics);
  if (spans) observers.push(spans);
  return {
    stores: observers.length === 0 ? stores : { ...stores, funds },
    exposition: metrics && expose(metrics.registry, metricsToken ?? ""),
    callTracer: spans,
    watchCircuits(source) {
      openCircuits = source;
    },
    async close() {
      metrics?.registry.clear();
      await spans?.close().catch((error: unknown) => options.logFault("traces", error));
    },
  };
}

async function openMetrics(
  { organization, ledger, funds, owner }: Stores,
  openCircuits: MetricSources["openCircuits"],
) {
  const { CallMetrics } = await import("../log/telemetry/call-metrics");
  return new CallMetrics({
    currency: organization.currency,
    balance: () => ledger.balance(),
    openHolds: () => ledger.countOpenHolds(owner),
    isLedgerHealthy: () => funds.isHealthy(),
    openCircuits,
  });
}

async function openSpans({ environment, logFault }: GatewayOptions, url: string) {
  const { CallSpans } = await import("../log/telemetry/call-spans");
  return new CallSpans({ url, serviceName: environment.OTEL_SERVICE_NAME || "gatehouse", logFault });
}

/** The metrics in Prometheus' text format for `GET /metrics`, and the check of the token that permits reading them. */
function expose(registry: { readonly contentType: string; metrics(): Promise<string> }, token: string) {
  const expectedHash = Buffer.from(hashSecret(`Bearer ${token}`));
  return {
    /** Takes the same time for every wrong token, so that the time reveals nothing about it. */
    isOpenedBy(headers: RequestHeaders): boolean {
      const givenHash = Buffer.from(hashSecret(headers.get("authorization") ?? ""));
      return timingSafeEqual(givenHash, expectedHash);
    },
    async scrape(): Promise<Response> {
      return respondWithText(await registry.metrics(), {
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
      });
    },
  };
}
