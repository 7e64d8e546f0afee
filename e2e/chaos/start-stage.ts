import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelPrice } from "@/lib/contract/operations/models/models";
import type { ProviderLimitsDraft } from "@/lib/gateway/models/providers/provider-directory";
import { adminApi } from "../support/clients/admin-api";
import { startGateway } from "../support/programs/start-gateway";
import { startProgram } from "../support/programs/start-program";
import { type Ledger, readLedger } from "./books/read-ledger";
import { readInvoices } from "./provider/invoice-log";

export interface StageModel {
  readonly id: string;
  readonly rate: string;
  readonly price: ModelPrice;
  /** The ids of the providers that it is routed to, in order. */
  readonly providers?: readonly string[];
}

/** An alias of the fault provider with its own limits. */
export interface StageProvider extends ProviderLimitsDraft {
  readonly id: string;
  /** Whether it uses the port for broken connections. */
  readonly isBroken?: boolean;
  /** Set for another server than the fault provider. */
  readonly baseUrl?: string;
}

const ENDLESS = {
  max_requests_per_1_minute: 1_000_000_000,
  max_tokens_per_1_minute: 1_000_000_000_000,
  max_requests_per_1_day: null,
};
export const PLAIN_MODEL: StageModel = {
  id: "fault",
  rate: "1",
  price: { input_per_1m: "1.00", output_per_1m: "2.00" },
};
export const PLAIN_PROVIDER: StageProvider = { id: "fault", max_concurrent_requests: 20_000 };
export const MAX_OUTPUT_TOKENS = 1_000;

export type Stage = Awaited<ReturnType<typeof startFaultStage>>;
/** What a row uses that runs on one gateway as on several. */
export interface AnyStage extends Omit<Stage, "gateway" | "databasePath" | "ledger"> {
  ledger(): Ledger | Promise<Ledger>;
}
/** Starts the gateway, or the gateways, of such a row. */
export type StartStage = (
  options?: Pick<NonNullable<Parameters<typeof startFaultStage>[0]>, "balance" | "models">,
) => Promise<AnyStage>;

/**
 * Starts the gateway and the fault provider as separate programs, with limits that no scenario reaches unless it sets
 * them.
 */
export async function startFaultStage({
  balance = "1000000.00",
  models = [PLAIN_MODEL],
  providers = [PLAIN_PROVIDER],
  keyCount = 1,
  env = {},
}: {
  balance?: string;
  models?: readonly StageModel[];
  providers?: readonly StageProvider[];
  /** One project key per connection tells the connections' calls apart, even those without a reply. */
  keyCount?: number;
  env?: Record<string, string>;
} = {}) {
  const scene = await startProvider({ models, providers });
  const gateway = await startGateway({
    GATEHOUSE_CONFIG: scene.configFile,
    GATEHOUSE_OPENING_BALANCE: balance,
    ...env,
  });
  const dataFolder = env.GATEHOUSE_DATA ?? gateway.dataFolder;
  const admin = adminApi({ baseUrl: gateway.baseUrl, adminKey: gateway.adminKey });
  const { data: projects } = await admin.call<{ data: { id: string }[] }>("GET", "/projects");
  const projectId = projects[0]?.id ?? "";
  const createKey = () =>
    admin.call<{ id: string; value: string }>("POST", `/projects/${projectId}/api_keys`, { name: "Load" });
  const keys = await Promise.all(Array.from({ length: keyCount }, createKey));
  return {
    gateway,
    baseUrl: gateway.baseUrl,
    baseUrls: [gateway.baseUrl],
    admin,
    models,
    projectId,
    keys,
    databasePath: join(dataFolder, "gatehouse.sqlite"),
    waiting: scene.waiting,
    letGo: scene.letGo,
    invoices: scene.invoices,
    ledger: () => readLedger(join(dataFolder, "gatehouse.sqlite")),
    async stop() {
      // The provider stops first, which ends all calls that wait for it.
      await scene.stopProvider();
      await gateway.stop();
      await scene.remove();
    },
  };
}

/** Starts the fault provider, and writes a configuration file that leads to it. */
export async function startProvider({
  models,
  providers,
  outputs,
}: {
  readonly models: readonly StageModel[];
  readonly providers: readonly StageProvider[];
  /** The bucket of files; absent for a folder of the gateway. */
  readonly outputs?: object;
}) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-chaos-"));
  const invoicePath = join(folder, "invoices");
  const provider = await startProgram<FaultProviderReady>(["e2e/chaos/provider/fault-provider.ts"], {
    INVOICES: invoicePath,
  });
  const providerUrl = provider.ready.url;
  const configFile = join(folder, "gatehouse.yaml");
  const configuration = describeConfiguration(provider.ready, providers, models);
  // JSON is valid YAML.
  await writeFile(configFile, JSON.stringify({ ...configuration, outputs }));
  return {
    configFile,
    /** The nonces of the calls that the provider makes wait now. */
    waiting: async () => (await (await fetch(`${providerUrl}/waiting`)).json()) as string[],
    letGo: () => fetch(`${providerUrl}/let-go`),
    invoices: () => readInvoices(invoicePath),
    stopProvider: () => provider.stop(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface FaultProviderReady {
  readonly url: string;
  readonly brokenUrl: string;
}

function describeConfiguration(
  { url, brokenUrl }: FaultProviderReady,
  providers: readonly StageProvider[],
  models: readonly StageModel[],
) {
  return {
    providers: providers.map(({ isBroken, baseUrl, ...provider }) => ({
      // Each failing call is judged by itself.
      circuit: false,
      ...provider,
      kind: "openai",
      base_url: baseUrl ?? `${isBroken ? brokenUrl : url}/v1`,
      api_key: "provider-secret",
    })),
    models: models.map(({ providers: routed = [PLAIN_PROVIDER.id], ...model }) => ({
      ...model,
      family: "chat",
      max_output_tokens: MAX_OUTPUT_TOKENS,
      routes: routed.map((provider) => ({ provider, model: "fault" })),
      rate_limits: ENDLESS,
    })),
  };
}
