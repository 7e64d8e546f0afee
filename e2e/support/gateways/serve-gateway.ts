import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { type HttpServer, startServer } from "@/lib/gateway/http/server";
import type { GatewayOptions } from "@/lib/gateway/main/gateway-options";
import { type OpenGateway, openGateway } from "@/lib/gateway/main/open-gateway";
import { simulatedRuntime } from "@/lib/gateway/simulation/simulated-runtime";
import { parseAmount, ZERO } from "@/lib/money/amount";
import { fetchWithKey } from "../clients/send";
import { openServedDatabase, withBucket } from "./served-database";

export type ServedGateway = Awaited<ReturnType<typeof serveGateway>>;

interface Served
  extends Partial<
    Pick<
      GatewayOptions,
      | "maxConcurrentRequests"
      | "maxSlowRequestsPerAddress"
      | "alertTarget"
      | "callbackHosts"
      | "providerHosts"
      | "telemetry"
      | "databaseUrl"
      | "adminKey"
    >
  > {
  readonly balance?: string;
  /** The configuration file's text. */
  readonly config?: string;
  readonly signIn?: Partial<GatewayOptions["signIn"]>;
  /**
   * Whether its monotonic clock goes on by itself, as deadlines of providers need; by default only the test moves it.
   */
  readonly hasRunningClock?: boolean;
  /** Whether its store is in its folder, also where tests run on PostgreSQL. */
  readonly isEmbedded?: boolean;
  /** Of its randomness: two gateways on one database make different ids. */
  readonly seed?: number;
  /** Which of the faults that it logs belong to its tests; by default none may be logged. */
  readonly isExpectedFault?: (fault: unknown, where: string) => boolean;
}

const noTargets = { alertTarget: null, callbackHosts: [], providerHosts: ["127.0.0.1", "localhost"] };

/**
 * Serves the gateway from this process on a free port, with its own store and a clock that the test controls. Its
 * `close` throws if it met a fault that isn't expected.
 */
export async function serveGateway({ balance = "10.00", config, signIn, ...options }: Served = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), "gatehouse-served-"));
  const runtime = createRuntime(options);
  const database = await openServedDatabase(dataFolder, runtime, options);
  const text = database ? await withBucket(config, basename(dataFolder)) : config;
  const configFile = text === undefined ? null : join(dataFolder, "gatehouse.yaml");
  if (configFile) await writeFile(configFile, text ?? "");
  const log = openLog(options.isExpectedFault);
  const open = () =>
    openGateway({
      dataFolder,
      runtime,
      configFile,
      maxConcurrentRequests: 2_000,
      maxSlowRequestsPerAddress: 256,
      ...noTargets,
      telemetry: { metricsToken: null, tracesUrl: null },
      databaseUrl: database?.url ?? null,
      ...options,
      followMs: null,
      environment: {},
      trustedProxies: new TrustedProxies([]),
      signIn: { consoleUrl: "http://console.test", openIdProvider: null, mail: null, ...signIn },
      secret: new Uint8Array(32),
      adminKey: options.adminKey ?? null,
      openingBalance: parseAmount(balance) ?? ZERO,
      logFault: log.logFault,
    });
  let gateway = await open();
  const server = listen((request, findPeer) => gateway.fetch(request, findPeer), log.logFault);
  const adminKey = gateway.firstStart?.adminKey ?? options.adminKey ?? "";
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const admin = askAs(baseUrl, adminKey);
  const { projectId, key } = await createKey(admin);
  return {
    baseUrl,
    /** The gateway's handler, without its port. */
    fetch: ((request, findPeer) => gateway.fetch(request, findPeer)) as typeof gateway.fetch,
    adminKey,
    key,
    projectId,
    admin,
    /** The faults that it has logged and that aren't expected. */
    faults: log.faults,
    dataFolder,
    /** Answers without a connection, so that requests made in one tick run concurrently. */
    answer: (request: Request) => gateway.fetch(request),
    /** The gateway's clock and randomness. */
    runtime,
    databasePath: join(dataFolder, "gatehouse.sqlite"),
    /** Closes the gateway and opens it again on the same data; `meanwhile` runs in between. */
    async restart(meanwhile?: () => Promise<void>) {
      await gateway.close();
      await meanwhile?.();
      gateway = await open();
    },
    /** Lets simulated time pass. */
    pass: (ms: number) => runtime.pass(ms),
    stepWallClock: runtime.stepWallClock,
    setLimits: (model: string, limits: object) =>
      admin("POST", `/organization/projects/${projectId}/rate_limits/${model}`, limits),
    async close() {
      await server.stop(true);
      await gateway.close();
      await database?.remove();
      await rm(dataFolder, { recursive: true, force: true });
      refuseFaults(log.faults);
    },
  };
}

/** Keeps the faults that aren't expected. */
function openLog(isExpectedFault: Served["isExpectedFault"]) {
  const faults: unknown[] = [];
  return {
    faults,
    logFault(where: string, fault: unknown) {
      if (!isExpectedFault?.(fault, where)) faults.push(fault);
    },
  };
}

/** What a busy machine makes the gateway log. */
const SLOW_DISK = /^(The store|PostgreSQL) has not answered for|connection timeout/;

function refuseFaults(faults: readonly unknown[]): void {
  const [cause] = faults.filter((fault) => !SLOW_DISK.test(String(fault)));
  if (cause !== undefined) throw new Error(`The gateway met faults: ${faults.join("; ")}`, { cause });
}

function createRuntime({ hasRunningClock = false, seed = 1 }: Served): ReturnType<typeof simulatedRuntime> {
  const runtime = simulatedRuntime({ seed });
  const { nowMs, monotonicMs } = runtime.clock;
  if (hasRunningClock) runtime.clock = { nowMs, monotonicMs: () => monotonicMs() + performance.now() };
  return runtime;
}

function listen(answer: OpenGateway["fetch"], logFault: (where: string, fault: unknown) => void): HttpServer {
  return startServer({
    port: 0,
    hostname: "127.0.0.1",
    // A test may set its client's address.
    answer: (request, findPeer) =>
      answer(request, () => request.headers.get("x-test-address") ?? findPeer?.() ?? null),
    logFault,
  });
}

/** Creates a key in the first project. */
async function createKey(admin: ReturnType<typeof askAs>): Promise<{ projectId: string; key: string }> {
  const projects = await admin<{ data: { id: string }[] }>("GET", "/organization/projects");
  const projectId = projects.data[0]?.id ?? "";
  const keys = `/organization/projects/${projectId}/api_keys`;
  const { value: key } = await admin<{ value: string }>("POST", keys, { name: "Test" });
  return { projectId, key };
}

/** Returns a client with a key. It throws for refused requests. */
function askAs(baseUrl: string, key: string) {
  return async <Reply>(method: "GET" | "POST", path: string, body?: object): Promise<Reply> => {
    const reply = await fetchWithKey(`${baseUrl}${path}`, { method, key, body });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
}
