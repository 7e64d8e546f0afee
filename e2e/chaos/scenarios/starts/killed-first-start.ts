import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import type { GatewayReady } from "@/lib/dev/launch/start-gateway";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { send } from "../../../support/clients/send";
import { makeDataFolder, startProgram } from "../../../support/programs/start-program";
import { drawEnd, endStart } from "../../end-start";
import type { Scenario } from "../../scenario";

/** A first start prepares about as many. */
const STATEMENTS = 450;

export const killedFirstStart: Scenario = {
  name: "killed-first-start",
  does: "{size} first starts, ended before each statement, at any moment and by a full disk: the next one opens the same folder, with one organization, one opening balance and a way in",
  full: 2 * STATEMENTS,
  smoke: 8,
  async run(order) {
    const dataFolder = await makeDataFolder();
    const [port] = await findFreePorts(1);
    const env = { GATEHOUSE_DATA: dataFolder, GATEWAY_PORT: String(port) };
    const faults: string[] = [];
    let [ended, opened, full] = [0, 0, 0];
    /** The folder as the starts before have left it. */
    const open = async () => {
      const { ready, stop } = await startProgram<GatewayReady>(["lib/gateway/main.ts"], env);
      faults.push(...(await findWayInFaults(ready)));
      await stop();
      const findings = examine(join(dataFolder, "gatehouse.sqlite"), Date.now());
      faults.push(...findings.flatMap((finding) => finding.faults));
      opened++;
      await rm(dataFolder, { recursive: true });
    };
    try {
      for (let index = 0; index < order.size; index++) {
        const end = drawEnd(index, STATEMENTS, order);
        const start = await endStart(env, end);
        if (start.kind === "ended") ended++;
        else if (start.kind === "started") await open();
        else if (end.kind === "full disk" && !start.text.includes("    at ")) full++;
        else faults.push(`${JSON.stringify(end)}: ${start.text}`);
      }
      await open();
      return { faults, figures: { ended, "refused for a full disk": full, opened } };
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
};

/** Nobody has got in yet, so even a start after the one that made the key says how to. */
async function findWayInFaults({ url, adminKey, signInToken }: GatewayReady): Promise<string[]> {
  const session = await send(`${url}/v1/organization/sessions`, {
    body: { sign_in_token: signInToken ?? "" },
  });
  if (session.status !== 200) return [`No way in: ${session.status}`];
  const key = String(session.body.token);
  const ask = async (path: string) => (await send(`${url}/v1/organization/${path}`, { key })).body;
  const balance = (await ask("balance")).available;
  const [projects, keys] = [await ask("projects"), await ask("admin_api_keys")].map(({ data }) =>
    Array.isArray(data) ? data.length : 0,
  );
  const isRight = balance === "10.00" && projects === 1 && keys === 1;
  return isRight
    ? []
    : [`${projects} projects, ${keys} keys, a balance of ${balance} (first key ${adminKey})`];
}
