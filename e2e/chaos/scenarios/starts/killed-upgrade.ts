import { Database } from "bun:sqlite";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import type { GatewayReady } from "@/lib/dev/launch/start-gateway";
import { addMigration, testMigration } from "@/lib/gateway/database/testing/add-migration";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { send } from "../../../support/clients/send";
import { makeDataFolder, startProgram } from "../../../support/programs/start-program";
import { buildPreloads, drawEnd, endStart } from "../../end-start";
import type { Scenario } from "../../scenario";

/** Has the started gateway be of a later version than the one that made the folder. */
const LATER_VERSION = ["./e2e/chaos/later-version.ts"];

/** A start that upgrades prepares about as many. */
const STATEMENTS = 110;

export const killedUpgrade: Scenario = {
  name: "killed-upgrade",
  does: "{size} starts of a later version on a folder, ended before each statement, at any moment and by a full disk: the next one opens it with its key and its money, upgraded once",
  full: 2 * STATEMENTS,
  smoke: 8,
  async run(order) {
    const dataFolder = await makeDataFolder();
    const present = await makeDataFolder();
    const [port] = await findFreePorts(1);
    const env = { GATEHOUSE_DATA: dataFolder, GATEWAY_PORT: String(port) };
    const faults: string[] = [];
    let [ended, opened, full] = [0, 0, 0];
    try {
      const { adminKey } = await fill({ ...env, GATEHOUSE_DATA: present });
      const putBack = async () => {
        await rm(dataFolder, { recursive: true });
        await cp(present, dataFolder, { recursive: true });
      };
      const open = async () => {
        const start = [...buildPreloads(LATER_VERSION), "lib/gateway/main.ts"];
        const { ready, stop } = await startProgram<GatewayReady>(start, env);
        const { body } = await send(`${ready.url}/v1/organization/balance`, { key: adminKey ?? "" });
        if (body.available !== "10.00") faults.push(`The balance is ${JSON.stringify(body)}`);
        await stop();
        faults.push(...findUpgradeFaults(join(dataFolder, "gatehouse.sqlite")));
        opened++;
        await putBack();
      };
      await putBack();
      for (let index = 0; index < order.size; index++) {
        const end = drawEnd(index, STATEMENTS, order);
        const start = await endStart(env, end, LATER_VERSION);
        if (start.kind === "ended") ended++;
        else if (start.kind === "started") await open();
        else if (end.kind === "full disk" && !start.text.includes("    at ")) full++;
        else faults.push(`${JSON.stringify(end)}: ${start.text}`);
      }
      await open();
      return { faults, figures: { ended, "refused for a full disk": full, opened } };
    } finally {
      for (const folder of [dataFolder, present]) await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The first start of this version, which makes an organization, a key and a payment. */
async function fill(env: Record<string, string>): Promise<GatewayReady> {
  const { ready, stop } = await startProgram<GatewayReady>(["lib/gateway/main.ts"], env);
  await stop();
  return ready;
}

function findUpgradeFaults(path: string): string[] {
  using _later = addMigration(testMigration);
  const faults = examine(path, Date.now()).flatMap((finding) => finding.faults);
  using sqlite = new Database(path, { readonly: true });
  const names = sqlite.query("SELECT name FROM organizations").values().flat().map(String);
  const isUpgradedOnce = names.length === 1 && /^(?!.* upgraded upgraded).* upgraded$/.test(names[0] ?? "");
  return isUpgradedOnce ? faults : [...faults, `The organization is named ${JSON.stringify(names)}`];
}
