import { HOUR_MS, SECOND_MS } from "@/lib/contract/durations";
import { pickFrom } from "./draw";
import type { SimulatedGateway } from "./simulated-gateway";
import type { Simulation, Step } from "./simulation";

const isStarted = ({ process }: SimulatedGateway) => process !== null;
const isUp = ({ running }: Simulation) => running.length > 0;
const queued = ({ running }: Simulation) => running.filter(({ process }) => process?.funds.hasQueue);
const unanswered = ({ running }: Simulation) => running.filter(({ process }) => process?.funds.hasAnswer);

/** Steps that affect processes, their store and time. */
export const processSteps: readonly Step[] = [
  {
    name: "commit",
    weight: 24,
    isPossible: (simulation) => queued(simulation).length > 0,
    take(simulation) {
      const gateway = pickFrom(simulation.random, queued(simulation));
      gateway.commit();
      return `by ${gateway.name}: ${simulation.ledger.posted} posted, ${simulation.ledger.held} held`;
    },
  },
  {
    name: "answer",
    weight: 36,
    isPossible: (simulation) => unanswered(simulation).length > 0,
    take(simulation) {
      const { process, name } = pickFrom(simulation.random, unanswered(simulation));
      process?.funds.answer();
      return `to ${name}, of its last commit`;
    },
  },
  {
    name: "end again",
    weight: 2,
    isPossible: isUp,
    take({ random, running }) {
      pickFrom(random, running).process?.funds.endAgain();
      return "what was ended last";
    },
  },
  {
    name: "time",
    weight: 14,
    isPossible: () => true,
    take(simulation) {
      const { random } = simulation;
      const ms = random.pick([
        0,
        1,
        300,
        SECOND_MS,
        10 * SECOND_MS,
        30 * SECOND_MS,
        61 * SECOND_MS,
        HOUR_MS,
        8 * HOUR_MS,
      ]);
      const passedMs = ms + random.between(0, Math.min(ms, SECOND_MS));
      simulation.pass(passedMs);
      return `${passedMs} ms pass`;
    },
  },
  {
    name: "pause",
    weight: 3,
    isPossible: isUp,
    take({ random, running }) {
      const gateway = pickFrom(random, running);
      gateway.isPaused = true;
      return `of ${gateway.name} with ${gateway.calls.length} calls open`;
    },
  },
  {
    name: "resume",
    weight: 8,
    isPossible: ({ gateways }) => gateways.some(({ isPaused }) => isPaused),
    take({ random, gateways }) {
      const gateway = pickFrom(
        random,
        gateways.filter(({ isPaused }) => isPaused),
      );
      gateway.isPaused = false;
      return `of ${gateway.name}`;
    },
  },
  {
    name: "take over",
    weight: 8,
    isPossible: isUp,
    take({ random, running }) {
      const gateway = pickFrom(random, running);
      gateway.takeOver();
      return `asked for by ${gateway.name}`;
    },
  },
  {
    name: "crash",
    weight: 3,
    isPossible: ({ gateways }) => gateways.some(isStarted),
    take({ random, gateways }) {
      const gateway = pickFrom(random, gateways.filter(isStarted));
      const { length } = gateway.calls;
      gateway.crash();
      return `of ${gateway.name} with ${length} calls open`;
    },
  },
  {
    name: "start",
    weight: 30,
    isPossible: ({ gateways }) => !gateways.every(isStarted),
    async take(simulation) {
      const { random, gateways, ledger } = simulation;
      const gateway = pickFrom(
        random,
        gateways.filter((one) => !isStarted(one)),
      );
      const isUpAgain = await gateway.start();
      return `of ${gateway.name} ${isUpAgain ? `with ${ledger.posted} posted` : "in vain: the store refuses"}`;
    },
  },
  {
    name: "store breaks",
    weight: 3,
    isPossible: () => true,
    take({ random, store }) {
      const how = random.pick<"read only" | "disk full">(["read only", "disk full"]);
      store.breakDown(how);
      return how;
    },
  },
  {
    name: "store repaired",
    weight: 6,
    isPossible: () => true,
    take({ store }) {
      store.repair();
      return "it can be written";
    },
  },
];
