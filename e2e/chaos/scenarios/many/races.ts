import { startManyGateways } from "../../many/start-many-gateways";
import type { Scenario } from "../../scenario";
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

export const manySameKey: Scenario = {
  name: "many-same-key",
  does: "{size} idempotency keys, each raced by calls to three gateways, of one body or of two, some failing at first",
  full: 1_000,
  smoke: 60,
  run: (order) => raceWithKeys(order, startManyGateways),
};
