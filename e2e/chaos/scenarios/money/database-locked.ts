import { Database } from "bun:sqlite";
import { sufferOutage } from "../../outage";
import type { Scenario } from "../../scenario";
import { startFaultStage } from "../../start-stage";

const CONNECTIONS = 16;

export const databaseLocked: Scenario = {
  name: "database-locked",
  does: "{size} calls while another process holds the database's lock",
  full: 200,
  smoke: 16,
  async run(order) {
    const stage = await startFaultStage({ keyCount: CONNECTIONS });
    const other = new Database(stage.databasePath);
    try {
      return await sufferOutage(stage, order, {
        begin: () => {
          other.run("PRAGMA busy_timeout = 5000");
          other.run("BEGIN EXCLUSIVE");
        },
        end: () => void other.run("ROLLBACK"),
      });
    } finally {
      other.close();
      await stage.stop();
    }
  },
};
