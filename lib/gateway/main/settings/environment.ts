import { resolve } from "node:path";
import { readTrustedProxies, TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { findKeyKind } from "@/lib/contract/access/secret-keys";
import { type Nano, parseAmount } from "@/lib/money/amount";
import { DEFAULT_MAX_CONCURRENT_REQUESTS } from "../../rate-limits/embedded-admissions";
import {
  type CallbackTarget,
  CallbackTargetFault,
  readCallbackTarget,
  readHost,
} from "../../tasks/callbacks/post-callback";
import { readSignInSettings, type SignInSettings } from "./sign-in-settings";

/** The checked environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Absolute path of the folder of the embedded database and of generated secrets. */
  readonly dataFolder: string;
  /** The address of a PostgreSQL database for several gateways; null for the embedded database. */
  readonly databaseUrl: string | null;
  readonly configFile: string | null;
  /** The first admin key, for an empty database. */
  readonly adminKey: string | null;
  readonly openingBalance: Nano;
  /** 32 bytes, base64; null to generate one in the data folder. */
  readonly secret: string | null;
  readonly maxConcurrentRequests: number;
  readonly maxSlowRequestsPerAddress: number;
  /** Hosts that any provider may have at a private address. */
  readonly providerHosts: readonly string[];
  /** Hosts that callbacks may use at private addresses and without encryption. */
  readonly callbackHosts: readonly string[];
  /** The receiver of spend alerts; null for none. */
  readonly alertTarget: CallbackTarget | null;
  readonly signIn: SignInSettings;
  readonly trustedProxies: TrustedProxies;
  readonly telemetry: TelemetrySettings;
  readonly stopTimes: StopTimes;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_OPENING_BALANCE = "10.00";

/** Reads the settings from the environment. Reports all faults at once, each with its correction. */
export function readSettings(environment: Environment): { settings: Settings } | { faults: string[] } {
  const faults: string[] = [];
  const fault = <Value>(text: string, fallback: Value): Value => {
    faults.push(text);
    return fallback;
  };
  const settings: Settings = {
    host: environment.HOST || "127.0.0.1",
    port: readCount(environment, "GATEWAY_PORT", 8080, 65_535, fault),
    dataFolder: resolve(environment.GATEHOUSE_DATA || ".gatehouse"),
    configFile: environment.GATEHOUSE_CONFIG ? resolve(environment.GATEHOUSE_CONFIG) : null,
    adminKey: readAdminKey(environment.GATEHOUSE_ADMIN_KEY, fault),
    openingBalance: readOpeningBalance(
      environment.GATEHOUSE_OPENING_BALANCE || DEFAULT_OPENING_BALANCE,
      fault,
    ),
    secret: environment.GATEHOUSE_SECRET || null,
    maxConcurrentRequests: readCount(
      environment,
      "GATEHOUSE_MAX_CONCURRENT_REQUESTS",
      DEFAULT_MAX_CONCURRENT_REQUESTS,
      1_000_000,
      fault,
    ),
    maxSlowRequestsPerAddress: readCount(
      environment,
      "GATEHOUSE_MAX_SLOW_REQUESTS_PER_ADDRESS",
      256,
      1_000_000,
      fault,
    ),
    ...readCallbackSettings(environment, fault),
    providerHosts: readHosts(environment, "GATEHOUSE_PROVIDER_HOSTS", fault),
    signIn: readSignInSettings(environment, (text) => faults.push(text)),
    trustedProxies: readProxies(environment, fault),
    telemetry: readTelemetrySettings(environment, (text) => faults.push(text)),
    stopTimes: readStopTimes(environment, (text) => faults.push(text)),
    databaseUrl: readDatabaseUrl(environment.DATABASE_URL, fault),
  };
  if (environment.VALKEY_URL)
    faults.push("VALKEY_URL is set, but Gatehouse uses PostgreSQL alone (DATABASE_URL): unset it.");
  return faults.length > 0 ? { faults } : { settings };
}

type Fault = <Value>(text: string, fallback: Value) => Value;

function readCount(
  environment: Environment,
  name: string,
  fallback: number,
  max: number,
  fault: Fault,
): number {
  const text = environment[name];
  if (!text) return fallback;
  const count = Number(text);
  if (/^\d{1,7}$/.test(text) && count >= 1 && count <= max) return count;
  return fault(`${name} is "${text}": set it to a whole number from 1 to ${max}.`, fallback);
}

function readDatabaseUrl(text: string | undefined, fault: Fault): string | null {
  if (!text || /^postgres(ql)?:\/\/./.test(text)) return text || null;
  // It may hold a password.
  return fault(
    "DATABASE_URL is no address of PostgreSQL: set it to one such as postgres://user:password@host:5432/gatehouse, or unset it.",
    null,
  );
}

function readProxies(environment: Environment, fault: Fault): TrustedProxies {
  try {
    return readTrustedProxies(environment.GATEHOUSE_TRUSTED_PROXIES);
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error), new TrustedProxies([]));
  }
}

function readAdminKey(text: string | undefined, fault: Fault): string | null {
  if (!text) return null;
  if (findKeyKind(text) === "gk_admin_") return text;
  return fault(
    "GATEHOUSE_ADMIN_KEY is not an admin key: it must be gk_admin_, 43 characters and their checksum. Unset it to have one made.",
    null,
  );
}

function readOpeningBalance(text: string, fault: Fault): Nano {
  const amount = parseAmount(text);
  if (amount !== null && amount >= 0n) return amount;
  return fault(
    `GATEHOUSE_OPENING_BALANCE is "${text}": set it to an amount such as 10.00, or 0.`,
    parseAmount(DEFAULT_OPENING_BALANCE) as Nano,
  );
}

/** Hosts separated by commas. */
function readHosts(environment: Environment, name: string, fault: Fault): string[] {
  const hosts = (environment[name] ?? "").split(",").map((host) => host.trim());
  return hosts
    .filter((host) => host !== "")
    .flatMap(
      (text) =>
        readHost(text) ??
        fault(
          `${name} has "${text}", which is no host: list names or IP addresses, without port, such as alerts.internal,10.0.0.7.`,
          [],
        ),
    );
}

function readCallbackSettings(
  environment: Environment,
  fault: Fault,
): Pick<Settings, "callbackHosts" | "alertTarget"> {
  const callbackHosts = readHosts(environment, "GATEHOUSE_CALLBACK_HOSTS", fault);
  try {
    const address = environment.GATEHOUSE_ALERT_URL;
    return { callbackHosts, alertTarget: address ? readCallbackTarget(address, callbackHosts) : null };
  } catch (error) {
    if (!(error instanceof CallbackTargetFault)) throw error;
    return { callbackHosts, alertTarget: fault(`GATEHOUSE_ALERT_URL ${error.message}`, null) };
  }
}

/** How a gateway stops that is asked to (SIGTERM), in seconds. */
export interface StopTimes {
  /** How long it still takes calls while `/readyz` says no, so that a load balancer notices. */
  readonly drainSeconds: number;
  /** How long calls under way may then go on before they are broken off. */
  readonly stopSeconds: number;
}

/** Nothing takes over from a gateway that is alone. */
const DRAIN_SECONDS = 5;
const STOP_SECONDS = 60;
const MAX_SECONDS = 3_600;

/** @param fault is told of a value that is no such time. */
export function readStopTimes(
  environment: Readonly<Record<string, string | undefined>>,
  fault: (text: string) => void,
): StopTimes {
  const read = (name: string, fallback: number) => {
    const text = environment[name];
    if (!text) return fallback;
    if (/^\d{1,4}$/.test(text) && Number(text) <= MAX_SECONDS) return Number(text);
    fault(`${name} is "${text}": set it to a whole number of seconds from 0 to ${MAX_SECONDS}.`);
    return fallback;
  };
  return {
    drainSeconds: read("GATEHOUSE_DRAIN_SECONDS", environment.DATABASE_URL ? DRAIN_SECONDS : 0),
    stopSeconds: read("GATEHOUSE_STOP_SECONDS", STOP_SECONDS),
  };
}

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

const MIN_TOKEN_LENGTH = 16;

/**
 * Reads `GATEHOUSE_METRICS_TOKEN` and OpenTelemetry's own variables for traces.
 * @param fault receives each invalid setting.
 */
function readTelemetrySettings(environment: Environment, fault: (text: string) => void): TelemetrySettings {
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
