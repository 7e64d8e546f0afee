import { loadMany } from "../../many/load-many";
import { startManyGateways } from "../../many/start-many-gateways";
import type { Scenario } from "../../scenario";

const CONNECTIONS = 8;
const MAX_REPLIES_BETWEEN = 150;

export const manyKilled: Scenario = {
  name: "many-killed",
  does: "kill -9 of one of three gateways under load, {size} times: the others go on, and charge what it held",
  full: 50,
  smoke: 1,
  async run({ size, random }) {
    const stage = await startManyGateways({ keyCount: CONNECTIONS });
    const load = loadMany(stage, { random });
    try {
      for (let kill = 0; kill < size; kill++) {
        await load.goesOn(random.between(1, MAX_REPLIES_BETWEEN));
        await stage.gateways[random.between(0, stage.gateways.length - 1)]?.restart("SIGKILL");
      }
      await load.goesOn(MAX_REPLIES_BETWEEN);
      const calls = await load.end();
      const takenOverMs = await stage.settle(size < 10);
      const { faults, figures } = await stage.reconcile(calls);
      return { faults, figures: { kills: size, ...figures, "taken over ms": Math.round(takenOverMs) } };
    } finally {
      void load.end();
      await stage.stop();
    }
  },
};
