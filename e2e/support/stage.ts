import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { signInUrl } from "@/lib/dev/launch/describe-running";
import type { GatewayReady } from "@/lib/dev/launch/start-gateway";
import { loadSecret } from "@/lib/secret/load-secret";
import type { Gatehouse } from "./start-gatehouse";
import {
  findFreePorts,
  findQuietPort,
  makeDataFolder,
  type RunningProgram,
  startProgram,
} from "./start-program";

export type Stage = {
  /** Returns the gatehouse of a scene: the running one if it is the same scene, else one with empty data. */
  show: (scene: string, variables: Record<string, string>) => Promise<Gatehouse>;
  stop: () => Promise<void>;
};

type Shown = { key: string; gateway: RunningProgram<GatewayReady>; gatehouse: Gatehouse };

/**
 * One console of the production build for all scenes, with a gateway at the same address that restarts for each scene. A console
 * takes three times as long to start, and its first pages are slow.
 */
export async function startStage(): Promise<Stage> {
  const gatewayPort = await findQuietPort();
  const [consolePort] = await findFreePorts(1);
  const folder = await makeDataFolder();
  loadSecret({ dataFolder: folder });
  const addresses = { PORT: String(consolePort), GATEWAY_PORT: String(gatewayPort) };
  const starting = startProgram<{ consoleUrl: string }>(["lib/dev/start.ts", "--console", "--built"], {
    ...addresses,
    GATEHOUSE_DATA: folder,
  });
  starting.catch(() => {});
  let shown: Shown | null = null;
  let count = 0;

  async function clear() {
    await shown?.gateway.stop();
    shown = null;
  }
  return {
    async show(scene, variables) {
      const key = JSON.stringify([scene, variables]);
      if (shown?.key === key) return shown.gatehouse;
      await clear();
      count += 1;
      const dataFolder = join(folder, `scene-${count}`);
      await mkdir(dataFolder, { mode: 0o700 });
      // The console must be able to read cookies that tests seal with this folder's secret.
      await copyFile(join(folder, "secret"), join(dataFolder, "secret"));
      const gateway = await startProgram<GatewayReady>(["lib/gateway/main.ts"], {
        ...addresses,
        GATEHOUSE_DATA: dataFolder,
        // The tests' providers run on this machine.
        GATEHOUSE_PROVIDER_HOSTS: "127.0.0.1,localhost",
        ...variables,
      });
      const { consoleUrl } = (await starting).ready;
      const { url, adminKey = "" } = gateway.ready;
      const gatehouse: Gatehouse = {
        consoleUrl,
        baseUrl: `${url}/v1`,
        signInUrl: signInUrl({ consoleUrl, gatewayUrl: url, gateway: gateway.ready }),
        adminKey,
        dataFolder,
      };
      shown = { key, gateway, gatehouse };
      return gatehouse;
    },
    async stop() {
      await clear();
      await (await starting).stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
