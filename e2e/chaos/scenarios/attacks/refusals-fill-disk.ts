import { statSync } from "node:fs";
import { readRefusals } from "../../books/read-refusals";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const CONNECTIONS = 8;
/** The room for the counts and samples of this many keys in a few minutes. */
const MAX_BYTES = 64 * 1024;

export const refusalsFillDisk: Scenario = {
  name: "refusals-fill-disk",
  does: "{size} calls under a limit of 0: each is refused and counted, and the disk does not fill",
  full: 20_000,
  smoke: 400,
  async run({ size }) {
    const stage = await startFaultStage({ keyCount: CONNECTIONS });
    try {
      await stage.admin.call("POST", `/projects/${stage.projectId}/rate_limits/${PLAIN_MODEL.id}`, {
        max_requests_per_1_minute: 0,
      });
      // Each restart moves the write-ahead log into the database file, so that its size tells everything.
      await stage.gateway.restart();
      const before = statSync(stage.databasePath).size;
      const calls = await keepCalling(stage, {
        next: (count) =>
          count < size && {
            model: PLAIN_MODEL.id,
            isStream: false,
            script: { promptTokens: 1, completionTokens: 1 },
          },
      });
      await stage.gateway.restart();
      const grown = statSync(stage.databasePath).size - before;
      const { counted, kept } = readRefusals(stage.databasePath);
      const faults = calls
        .filter(({ status }) => status !== 429)
        .map(({ script, status }) => `${script.nonce}: answered ${status}`);
      if (stage.invoices().size > 0) faults.push(`${stage.invoices().size} calls were sent to the provider`);
      if (counted !== calls.length) faults.push(`${calls.length} were refused, and ${counted} are counted`);
      if (grown > MAX_BYTES) faults.push(`The database grew by ${grown} bytes`);
      return {
        faults,
        figures: { refused: calls.length, kept, "bytes each": (grown / calls.length).toFixed(1) },
      };
    } finally {
      await stage.stop();
    }
  },
};
