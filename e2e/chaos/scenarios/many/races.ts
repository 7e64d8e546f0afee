import { callGateway, type Received } from "../../clients/call-gateway";
import { raceHeldCalls } from "../../clients/race-held-calls";
import { startManyGateways } from "../../many/start-many-gateways";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type StageModel } from "../../start-stage";
import { raceWithKeys } from "../idempotency/same-key";
import { raceForLastSlots } from "../limits/last-slots";
import { raceForLastCent } from "../money/last-cent";

export const manyLastCent: Scenario = {
  name: "many-last-cent",
  does: "{size} calls to three gateways race for the last of one balance: of one token each, and of one to five",
  full: 1_000,
  smoke: 100,
  run: (order) => raceForLastCent(order, startManyGateways),
};

export const manyLastSlots: Scenario = {
  name: "many-last-slots",
  does: "{size} calls to three gateways race for the last tenth as many slots of a minute and of a day",
  full: 1_000,
  smoke: 100,
  run: (order) =>
    raceForLastSlots(order, startManyGateways, ["max_requests_per_1_minute", "max_requests_per_1_day"]),
};

export const manyLastTokens: Scenario = {
  name: "many-last-tokens",
  does: "{size} calls to three gateways race for the last tokens of a minute",
  full: 1_000,
  smoke: 100,
  run: (order) => raceForLastSlots(order, startManyGateways, ["max_tokens_per_1_minute"]),
};

/** A call of one token costs one cent. */
const CENT_MODEL: StageModel = {
  id: "cent",
  rate: "1",
  price: { input_per_1m: "0", output_per_1m: "10000.00" },
};

export const manySpendLimit: Scenario = {
  name: "many-spend-limit",
  does: "{size} calls to three gateways race for what is left of a project's spend limit, and of the organization's",
  full: 1_000,
  smoke: 100,
  async run({ size, random }) {
    const stage = await startManyGateways({ models: [CENT_MODEL] });
    const faults: string[] = [];
    const calls: Received[] = [];
    const figures: Record<string, number> = {};
    let spent = 0;
    try {
      for (const [scope, path] of [
        ["project", `/projects/${stage.projectId}/spend_limit`],
        ["organization", "/spend_limit"],
      ] as const) {
        const left = random.between(size / 10, size - size / 10);
        const limit = { currency: "USD", interval: "month" };
        await stage.admin.call("POST", path, { ...limit, threshold_amount: spent + left });
        const asked = Array.from({ length: size }, (_none, index) => ({
          keyId: "",
          model: CENT_MODEL.id,
          isStream: random.chance(0.5),
          maxTokens: 1,
          script: { nonce: `${scope}${index}`, promptTokens: 1, completionTokens: 1, waitAfter: 0 },
        }));
        const { received, refused } = await raceHeldCalls(stage, asked, 402);
        const admitted = size - refused.length;
        spent += admitted;
        calls.push(...received);
        figures[scope] = admitted;
        if (admitted !== left) faults.push(`${scope}: ${admitted} were admitted, ${left} fit`);
        await stage.admin.call("DELETE", path);
      }
      const books = await stage.reconcile(calls);
      return { faults: [...faults, ...books.faults], figures: { ...books.figures, ...figures } };
    } finally {
      await stage.stop();
    }
  },
};

export const manyRevoked: Scenario = {
  name: "many-revoked",
  does: "{size} keys are called through three gateways at once, revoked through one, and refused by all from then on",
  full: 200,
  smoke: 10,
  async run({ size, random }) {
    const stage = await startManyGateways();
    const { baseUrls, projectId, admin } = stage;
    const faults: string[] = [];
    const calls: Received[] = [];
    try {
      for (let revoked = 0; revoked < size; revoked++) {
        const { id: keyId, value: key } = await admin.createKey(projectId, `Short-lived ${revoked}`);
        const callAll = (when: string) =>
          Promise.all(
            baseUrls.map((baseUrl, place) => {
              const script = { nonce: `${when}${revoked}-${place}`, promptTokens: 1, completionTokens: 1 };
              const asked = { keyId, model: PLAIN_MODEL.id, isStream: random.chance(0.5), script };
              return callGateway(asked, { baseUrl, key });
            }),
          );
        const before = await callAll("before");
        await admin.call("DELETE", `/projects/${projectId}/api_keys/${keyId}`);
        const after = await callAll("after");
        calls.push(...before, ...after);
        if (before.some(({ status }) => status !== 200))
          faults.push(`A new key got ${before.map(({ status }) => status)}`);
        if (after.some(({ status }) => status !== 401))
          faults.push(`A revoked key got ${after.map(({ status }) => status)}`);
      }
      const books = await stage.reconcile(calls);
      return { faults: [...faults, ...books.faults], figures: { ...books.figures, revoked: size } };
    } finally {
      await stage.stop();
    }
  },
};

export const manySameKey: Scenario = {
  name: "many-same-key",
  does: "{size} idempotency keys, each raced by calls to three gateways, of one body or of two, some failing at first",
  full: 1_000,
  smoke: 60,
  run: (order) => raceWithKeys(order, startManyGateways),
};
