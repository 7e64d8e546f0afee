/** Where the gateway tells what it does. Nothing of it is loaded, and nothing measured, where neither is set. */
export interface TelemetrySettings {
  /** What `GET /metrics` asks for as a bearer token; null: there is no such path. */
  readonly metricsToken: string | null;
  /** Where traces are sent by OTLP over HTTP, whole; null: nowhere. */
  readonly tracesUrl: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LEAST_TOKEN = 16;

/** Reads `GATEHOUSE_METRICS_TOKEN`, and where traces go by OpenTelemetry's own variables. @param fault told what can't be used. */
export function readTelemetrySettings(
  environment: Environment,
  fault: (text: string) => void,
): TelemetrySettings {
  const token = environment.GATEHOUSE_METRICS_TOKEN || null;
  if (token !== null && !new RegExp(`^[\\x21-\\x7e]{${LEAST_TOKEN},}$`).test(token))
    fault(
      `GATEHOUSE_METRICS_TOKEN is too short or has spaces: set it to ${LEAST_TOKEN} characters or more, such as of \`openssl rand -hex 32\`.`,
    );
  const whole = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const name = whole ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" : "OTEL_EXPORTER_OTLP_ENDPOINT";
  const tracesUrl = whole || (base ? `${base.replace(/\/+$/, "")}/v1/traces` : null);
  if (tracesUrl !== null && !/^https?:$/.test(URL.parse(tracesUrl)?.protocol ?? ""))
    fault(`${name} is no http or https URL: set it to one such as http://localhost:4318, or unset it.`);
  return { metricsToken: token, tracesUrl };
}
