import { readTrustedProxies, type TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { loadSecret, SecretError } from "@/lib/secret/load-secret";

/** The console's settings. */
interface ConsoleEnvironment {
  readonly gateway: {
    /** The gateway's address, without `/v1` and without a trailing slash. */
    readonly url: string;
    /** The base address for programs: `url` with `/v1`. */
    readonly baseUrl: string;
    /** True for the gateway that is started together with the console. */
    readonly isEmbedded: boolean;
  };
  /** The console's public origin, if a proxy hides it; null otherwise. */
  readonly consoleOrigin: string | null;
  /** 32 bytes. */
  readonly secret: Buffer;
  /** The proxies whose forwarded address is trusted. */
  readonly trustedProxies: TrustedProxies;
}

/** All faults of the environment, each with its correction. */
export class EnvironmentError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(["The console can't start:", ...faults.map((fault) => `- ${fault}`)].join("\n"));
    this.faults = faults;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws EnvironmentError */
export function parseEnvironment(variables: Variables): ConsoleEnvironment {
  const faults: string[] = [];
  const noting = <Value>(readVariable: () => Value): Value | null => {
    try {
      return readVariable();
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
      return null;
    }
  };
  const gateway = noting(() => parseGateway(variables));
  const consoleOrigin = noting(() => parseConsoleOrigin(variables.CONSOLE_URL));
  const secret = noting(() => parseSecret(variables));
  const trustedProxies = noting(() => readTrustedProxies(variables.GATEHOUSE_TRUSTED_PROXIES));
  if (!gateway || !secret || !trustedProxies || faults.length > 0) throw new EnvironmentError(faults);
  return { gateway, consoleOrigin, secret, trustedProxies };
}

let cachedEnvironment: ConsoleEnvironment | undefined;

/**
 * The environment of this process, read once.
 * @throws EnvironmentError
 */
export function environment(): ConsoleEnvironment {
  cachedEnvironment ??= parseEnvironment(process.env);
  return cachedEnvironment;
}

function parseGateway(variables: Variables): ConsoleEnvironment["gateway"] {
  const gatewayUrl = variables.GATEWAY_URL;
  const url = gatewayUrl ? parseAddress("GATEWAY_URL", gatewayUrl) : embeddedAddress(variables);
  return { url, baseUrl: `${url}/v1`, isEmbedded: !gatewayUrl };
}

function embeddedAddress(variables: Variables): string {
  const port = variables.GATEWAY_PORT || "8080";
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`GATEWAY_PORT is "${port}", not a port: give a number from 1 to 65535.`);
  }
  const host = variables.HOST || "127.0.0.1";
  const everyAddress = host === "0.0.0.0" || host === "::";
  return `http://${everyAddress ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`;
}

function parseConsoleOrigin(consoleUrl: string | undefined): string | null {
  return consoleUrl ? new URL(parseAddress("CONSOLE_URL", consoleUrl)).origin : null;
}

/** An address in the usual forms: with or without `/v1`, with or without a trailing slash. */
function parseAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name} is "${text}", not an address: write it like http://127.0.0.1:8080.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error(`${name} must be an address alone, without a name, password, query or fragment.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}`;
}

function parseSecret(variables: Variables): Buffer {
  const dataFolder = variables.GATEHOUSE_DATA || ".gatehouse";
  try {
    const secret = variables.GATEHOUSE_SECRET;
    return loadSecret({ dataFolder, ...(secret ? { configured: secret } : {}) });
  } catch (error) {
    if (error instanceof SecretError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The secret in ${dataFolder} can't be read or made (${reason}): set GATEHOUSE_SECRET.`, {
      cause: error,
    });
  }
}
