import { keepCalling } from "../keep-calling";
import { reconcile } from "../reconcile";
import type { Scenario } from "../scenario";
import { PLAIN_MODEL, startStage } from "../start-stage";
import { until } from "../until";

const CONNECTIONS = 32;
const MOST_REPLIES_BETWEEN = 400;

export const killed: Scenario = {
  name: "killed",
  does: "kill -9 of the gateway under load, {size} times",
  full: 50,
  smoke: 2,
  async run({ size, random }) {
    const stage = await startStage({ keyCount: CONNECTIONS });
    try {
      let isOver = false;
      let isUp = Promise.withResolvers<void>();
      let replies = 0;
      const load = keepCalling(stage, {
        next: () =>
          !isOver && {
            model: PLAIN_MODEL.id,
            isStream: random.chance(0.7),
            script: {
              promptTokens: random.between(1, 100),
              completionTokens: random.between(0, 15),
              gapMs: random.between(0, 6),
            },
          },
        onReceived: ({ requestId }) => {
          if (requestId === null) return isUp.promise;
          replies++;
          return undefined;
        },
      });
      for (let kill = 0; kill < size; kill++) {
        const enough = replies + random.between(1, MOST_REPLIES_BETWEEN);
        await until("the load goes on", () => replies >= enough);
        isUp = Promise.withResolvers();
        await stage.gateway.restart("SIGKILL");
        isUp.resolve();
      }
      isOver = true;
      const calls = await load;
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults, figures } = reconcile(books);
      return { faults, figures: { kills: size, ...figures } };
    } finally {
      await stage.stop();
    }
  },
};
