import { endedTooSoon, type StartedProgram, startProgram, waitForAnswer } from "@/lib/dev/launch/program";

type ConsoleOptions = {
  mode: "start" | "dev";
  host: string;
  consolePort: number;
  /** Null for the gateway that is started beside it at `HOST` and `GATEWAY_PORT`. */
  gatewayUrl: string | null;
  gatewayPort: number;
  /** 32 bytes, base64. */
  secret: string;
};

/** Secrets of the gateway, which are kept from the console's process. */
const GATEWAY_ONLY = ["GATEHOUSE_ADMIN_KEY", "DATABASE_URL", "VALKEY_URL"];

/**
 * Starts the console (its production build, or Next.js watching); `ready` resolves with its address when the
 * sign-in page answers, and rejects with a LaunchFault when it ends instead.
 */
export function startConsole(options: ConsoleOptions): StartedProgram<string> {
  const program = startProgram({
    name: "console",
    command: nextCommand(options.mode, "--port", String(options.consolePort), "--hostname", options.host),
    env: {
      ...nextEnvironment(),
      NODE_ENV: options.mode === "start" ? "production" : "development",
      HOST: options.host,
      GATEWAY_PORT: String(options.gatewayPort),
      GATEWAY_URL: options.gatewayUrl ?? undefined,
      GATEHOUSE_SECRET: options.secret,
    },
  });
  const url = addressToOpen(options.host, options.consolePort);
  const ready = waitForAnswer(`${url}/sign-in`).then(() => url);
  return { program, ready: Promise.race([ready, endedTooSoon(program)]) };
}

export function nextCommand(...args: string[]): string[] {
  return ["node", "node_modules/next/dist/bin/next", ...args];
}

export function nextEnvironment(): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  for (const name of GATEWAY_ONLY) delete env[name];
  return env;
}

/** The address at which a local browser reaches a server: a wildcard address can't be opened. */
export function addressToOpen(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
