/** Settings of metrics and traces. If neither is set, no library is loaded and nothing is measured. */
export interface TelemetrySettings {
  /**
   * The bearer token for `GET /metrics`, which callers with `api.metrics.read` may also read. Null: the path doesn't
   * exist.
   */
  readonly metricsToken: string | null;
  /** The whole OTLP/HTTP URL that traces are sent to; null: none are sent. */
  readonly tracesUrl: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_TOKEN_LENGTH = 16;

/**
 * Reads `GATEHOUSE_METRICS_TOKEN` and OpenTelemetry's own variables for traces.
 * @param fault receives each invalid setting.
 */
export function readTelemetrySettings(
  environment: Environment,
  fault: (text: string) => void,
): TelemetrySettings {
  const token = environment.GATEHOUSE_METRICS_TOKEN || null;
  if (token !== null && !new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN_LENGTH},}$`).test(token))
    fault(
      `GATEHOUSE_METRICS_TOKEN is too short or has spaces: set it to ${MIN_TOKEN_LENGTH} characters or more, such as of \`openssl rand -hex 32\`.`,
    );
  const tracesEndpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const name = tracesEndpoint ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" : "OTEL_EXPORTER_OTLP_ENDPOINT";
  const tracesUrl = tracesEndpoint || (base ? `${base.replace(/\/+$/, "")}/v1/traces` : null);
  if (tracesUrl !== null && !/^https?:$/.test(URL.parse(tracesUrl)?.protocol ?? ""))
    fault(`${name} is no http or https URL: set it to one such as http://localhost:4318, or unset it.`);
  return { metricsToken: token, tracesUrl };
}
