import { restartUnderLoad } from "../../restart-under-load";
import type { Scenario } from "../../scenario";

export const killed: Scenario = {
  name: "killed",
  does: "kill -9 of the gateway under load, {size} times",
  full: 50,
  smoke: 2,
  async run(order) {
    const { faults, figures } = await restartUnderLoad("SIGKILL", order);
    return { faults, figures: { kills: order.size, ...figures } };
  },
};

const providerFaults = [
  429,
  500,
  502,
  "redirect",
  "no completion",
  "no end",
  "an error",
  "small pieces",
  "gzip",
] as const;

export const killedWithFaults: Scenario = {
  name: "killed-with-faults",
  does: "kill -9 of the gateway, {size} times, while half of the calls fail at the provider",
  full: 30,
  smoke: 1,
  async run(order) {
    const { faults, figures } = await restartUnderLoad("SIGKILL", order, providerFaults);
    return { faults, figures: { kills: order.size, ...figures } };
  },
};

export const stopped: Scenario = {
  name: "stopped",
  does: "the gateway asked to stop under load, {size} times: whatever it has begun it answers first",
  full: 20,
  smoke: 1,
  async run(order) {
    const { calls, faults, figures } = await restartUnderLoad("SIGTERM", order);
    const broken = calls.filter(({ status, isComplete }) => status === 200 && !isComplete);
    if (broken.length > 0) faults.push(`${broken.length} answers were broken off`);
    if (figures.interrupted > 0) faults.push(`${figures.interrupted} calls were interrupted`);
    return { faults, figures: { stops: order.size, ...figures } };
  },
};
