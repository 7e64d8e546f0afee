import { renameSync } from "node:fs";
import { until } from "@/e2e/support/clients/until";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const CONNECTIONS = 8;
const SUFFIXES = ["", "-wal", "-shm"];

export const storeVanishes: Scenario = {
  name: "store-vanishes",
  does: "{size} calls after the database's files are gone: none is sent, and no start begins anew",
  full: 500,
  smoke: 40,
  async run({ size, random }) {
    const stage = await startFaultStage({ keyCount: CONNECTIONS });
    const next = () => ({
      model: PLAIN_MODEL.id,
      isStream: random.chance(0.5),
      script: { promptTokens: 1, completionTokens: 2 },
    });
    const move = (from: string, to: string) => {
      for (const suffix of SUFFIXES)
        renameSync(stage.databasePath + from + suffix, stage.databasePath + to + suffix);
    };
    try {
      await keepCalling(stage, { prefix: "before-", next: (count) => count < size && next() });
      const sent = stage.invoices().size;
      move("", ".gone");
      await until("the gateway notices", async () => {
        return (await fetch(`${stage.gateway.url}/readyz`)).status === 503;
      });
      const calls = await keepCalling(stage, { prefix: "after-", next: (count) => count < size && next() });
      const faults = calls
        .filter(({ status }) => status !== 503)
        .map(({ script, status }) => `${script.nonce}: answered ${status}`);
      if (stage.invoices().size !== sent) faults.push(`${stage.invoices().size - sent} calls were sent`);
      const started = await stage.gateway.restart("SIGKILL").then(
        () => "",
        (error: unknown) => String(error),
      );
      if (!started.includes("this folder was used before"))
        faults.push(`The start said: ${started || "nothing"}`);
      move(".gone", "");
      await stage.gateway.restart();
      const again = await keepCalling(stage, { prefix: "again-", next: (count) => count < size && next() });
      faults.push(
        ...again.flatMap(({ script, isComplete }) => (isComplete ? [] : [`${script.nonce}: not answered`])),
      );
      return { faults, figures: { sent, refused: calls.length, "answered again": again.length } };
    } finally {
      await stage.stop();
    }
  },
};
