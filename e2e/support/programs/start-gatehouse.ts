import { rm } from "node:fs/promises";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { makeDataFolder, startProgram } from "./start-program";

/** The programs under test: a console, and its gateway with its data. */
export type Gatehouse = {
  consoleUrl: string;
  /** The address that programs call; it ends in `/v1`. */
  baseUrl: string;
  /** Can be used once. */
  signInUrl: string;
  adminKey: string;
  dataFolder: string;
};

export type StartedGatehouse = Gatehouse & {
  /** Process id of the starter, which keeps both programs running. */
  pid: number;
  output: () => string;
  stop: () => Promise<void>;
};

type Ready = { consoleUrl: string; baseUrl: string; signInUrl: string; adminKey?: string };

/**
 * Starts gateway and console as `npm start` does, on free ports, with a data folder of their own. Uses the production
 * build (run `npm run build` first). With `GATEWAY_URL` in `env`, starts only the console.
 */
export async function startGatehouse(env: Record<string, string> = {}): Promise<StartedGatehouse> {
  const [consolePort, gatewayPort] = await findFreePorts(2);
  const dataFolder = await makeDataFolder();
  const program = await startProgram<Ready>(["lib/dev/start.ts", "--built"], {
    PORT: String(consolePort),
    GATEWAY_PORT: String(gatewayPort),
    GATEHOUSE_DATA: dataFolder,
    // The tests' providers run on this machine.
    GATEHOUSE_PROVIDER_HOSTS: "127.0.0.1,localhost",
    ...env,
  });
  const { consoleUrl, baseUrl, signInUrl, adminKey = "" } = program.ready;
  return {
    consoleUrl,
    baseUrl,
    signInUrl,
    adminKey,
    dataFolder,
    pid: program.pid,
    output: program.output,
    async stop() {
      await program.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
