import { rm } from "node:fs/promises";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { type GatewayReady, gatewayRuntime } from "@/lib/dev/launch/start-gateway";
import { makeDataFolder, startProgram } from "./start-program";

export type Gateway = {
  /** The origin, without `/v1`. */
  url: string;
  /** The address that programs call; it ends in `/v1`. */
  baseUrl: string;
  adminKey: string;
  dataFolder: string;
  /** Process id of the current process. */
  pid: () => number;
  output: () => string;
  /**
   * Stops it (with `SIGKILL`, as if it crashed) and starts it again on the same port and data, after modules that make
   * it another version.
   */
  restart: (signal?: NodeJS.Signals, preloads?: readonly string[]) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts only the gateway, on a free port, with a data folder of its own, after modules that change it. */
export async function startGateway(
  env: Record<string, string> = {},
  firstPreloads: readonly string[] = [],
): Promise<Gateway> {
  const [port] = await findFreePorts(1);
  const dataFolder = await makeDataFolder();
  const start = (preloads: readonly string[]) =>
    startProgram<GatewayReady>([...preloads.flatMap((file) => ["--preload", file]), "lib/gateway/main.ts"], {
      GATEWAY_PORT: String(port),
      GATEHOUSE_DATA: dataFolder,
      // The tests' providers run on this machine.
      GATEHOUSE_PROVIDER_HOSTS: "127.0.0.1,localhost",
      ...gatewayRuntime,
      ...env,
    });
  let program = await start(firstPreloads);
  const { url, adminKey = env.GATEHOUSE_ADMIN_KEY ?? "" } = program.ready;
  return {
    url,
    baseUrl: `${url}/v1`,
    adminKey,
    dataFolder,
    pid: () => program.pid,
    output: () => program.output(),
    async restart(signal, preloads = firstPreloads) {
      await program.stop(signal);
      program = await start(preloads);
    },
    async stop() {
      await program.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
