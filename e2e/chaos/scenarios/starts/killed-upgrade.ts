import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import type { GatewayReady } from "@/lib/dev/launch/start-gateway";
import { writeEarlierStore } from "@/lib/gateway/database/testing/write-earlier-store";
import { examine } from "@/lib/gateway/doctor/examine";
import { send } from "../../../support/clients/send";
import { makeDataFolder, startProgram } from "../../../support/programs/start-program";
import { drawEnd, endStart, STATEMENTS } from "../../end-start";
import type { Scenario } from "../../scenario";

export const killedUpgrade: Scenario = {
  name: "killed-upgrade",
  does: "{size} starts on a folder of an earlier version, ended before each statement, at any moment and by a full disk: the next one opens it with its key and its money",
  full: 2 * STATEMENTS,
  smoke: 8,
  async run(order) {
    const dataFolder = await makeDataFolder();
    const path = join(dataFolder, "gatehouse.sqlite");
    const [port] = await findFreePorts(1);
    const env = { GATEHOUSE_DATA: dataFolder, GATEWAY_PORT: String(port) };
    const faults: string[] = [];
    let adminKey = await writeEarlierStore(path);
    let [ended, opened, full] = [0, 0, 0];
    const open = async () => {
      const { ready, stop } = await startProgram<GatewayReady>(["lib/gateway/main.ts"], env);
      const { body } = await send(`${ready.url}/v1/organization/balance`, { key: adminKey });
      if (body.available !== "7.00") faults.push(`The balance is ${JSON.stringify(body)}`);
      await stop();
      faults.push(...examine(path, Date.now()).flatMap((finding) => finding.faults));
      opened++;
    };
    try {
      for (let index = 0; index < order.size; index++) {
        const end = drawEnd(index, order);
        const start = await endStart(env, end);
        if (start.kind === "ended") ended++;
        else if (start.kind === "started") {
          await open();
          await rm(dataFolder, { recursive: true });
          adminKey = await writeEarlierStore(path);
        } else if (end.kind === "full disk" && !start.text.includes("    at ")) full++;
        else faults.push(`${JSON.stringify(end)}: ${start.text}`);
      }
      await open();
      return { faults, figures: { ended, "refused for a full disk": full, opened } };
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
};
