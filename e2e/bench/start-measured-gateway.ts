import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayRuntime } from "@/lib/dev/launch/start-gateway";
import { selfSigned } from "../support/servers/self-signed";
import { findChargeFaults, type ReceivedReplies } from "./find-charge-faults";
import { freePort } from "./free-port";
import { type Program, startBenchProgram } from "./program";

/** The model that the fake provider answers over TLS. */
export const SECURE_MODEL = "bench-secure";

/** The model of batches, whose rate limit a trial may change without touching live calls. */
export const BATCH_MODEL = "bench-batch";

const writeProvider = (id: string, url: string) =>
  `  - { id: ${id}, kind: openai, base_url: "${url}/v1", api_key: bench }`;

const writeModel = (id: string, provider = id) => `  - id: ${id}
    family: chat
    rate: "1"
    price: { input_per_1m: "1.00", output_per_1m: "2.00" }
    routes: [{ provider: ${provider}, model: bench }]
    rate_limits:
      max_requests_per_1_minute: 1000000000
      max_tokens_per_1_minute: 1000000000000
      max_requests_per_1_day: 1000000000`;

function writeConfiguration({ url, secureUrl }: ProviderAddresses): string {
  const addresses = [["bench", url], ...(secureUrl ? [[SECURE_MODEL, secureUrl]] : [])] as const;
  const providers = addresses.map(([id = "", address = ""]) => writeProvider(id, address));
  const models = [...addresses.map(([id = ""]) => writeModel(id)), writeModel(BATCH_MODEL, "bench")];
  return ["providers:", ...providers, "models:", ...models, ""].join("\n");
}

/** The fake provider's addresses. */
interface ProviderAddresses {
  readonly url: string;
  readonly secureUrl?: string;
}

/** The gateway as shipped, with everything on, and with limits and a balance that the load doesn't reach. */
export async function startMeasuredGateway(provider: ProviderAddresses, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  const configFile = join(folder, "gatehouse.yaml");
  await writeFile(configFile, writeConfiguration(provider));
  const program = await startBenchProgram("lib/gateway/main.ts", {
    GATEWAY_PORT: String(await freePort()),
    GATEHOUSE_DATA: folder,
    GATEHOUSE_CONFIG: configFile,
    GATEHOUSE_OPENING_BALANCE: "1000000.00",
    ...gatewayRuntime,
    ...(await trustingSelfSigned(folder)),
    ...env,
  });
  return {
    program,
    key: await createKey(program),
    /**
     * Stops it.
     * @returns the faults in its ledger.
     */
    async stopAndCheck(received: ReceivedReplies): Promise<string[]> {
      await program.stop();
      const faults = findChargeFaults(join(folder, "gatehouse.sqlite"), received);
      await rm(folder, { recursive: true, force: true });
      return faults;
    },
  };
}

/** Makes a program trust the fake provider's certificate. */
export async function trustingSelfSigned(folder: string): Promise<Record<string, string>> {
  const file = join(folder, "provider.pem");
  await writeFile(file, selfSigned.cert);
  return { NODE_EXTRA_CA_CERTS: file };
}

async function createKey({ ready }: Program): Promise<string> {
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ready.adminKey}`, "content-type": "application/json" };
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const reply = await fetch(`${ready.url}/v1/organization/projects${path}`, { headers, ...init });
    if (!reply.ok) throw new Error(`The gateway could not be set up: ${await reply.text()}`);
    return reply.json();
  };
  const { data } = (await ask("")) as { data: { id: string }[] };
  const { value } = (await ask(`/${data[0]?.id}/api_keys`, { name: "Bench" })) as { value: string };
  return value;
}
