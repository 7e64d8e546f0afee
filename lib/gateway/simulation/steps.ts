import { toNano } from "@/lib/money/amount";
import { drawLimits, drawRequest, drawUsage, pickFrom } from "./draw";
import type { SimulatedCall } from "./simulated-call";
import type { Simulation } from "./simulation";

/** One effect, chosen in proportion to its weight among those that are possible. */
interface Step {
  readonly name: string;
  readonly weight: number;
  isPossible(simulation: Simulation): boolean;
  /** @returns what it was about, for the log. */
  take(simulation: Simulation): string | Promise<string>;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const isUp = ({ process }: Simulation) => process !== null;

/** Takes one step. */
export async function takeStep(simulation: Simulation): Promise<void> {
  const possible = steps.filter((step) => step.isPossible(simulation));
  let left = simulation.random.between(
    1,
    possible.reduce((sum, { weight }) => sum + weight, 0),
  );
  const chosen = possible.find(({ weight }) => (left -= weight) <= 0);
  if (!chosen) throw new RangeError("No step is possible");
  let what = "";
  try {
    what = await chosen.take(simulation);
    await simulation.check();
  } finally {
    simulation.trace(`${chosen.name} ${what}`);
  }
}

const steps: readonly Step[] = [
  {
    name: "call",
    weight: 30,
    isPossible: isUp,
    take(simulation) {
      const request = drawRequest(simulation);
      const call = simulation.call(request);
      const { projectId, model, promptTokens, maxOutputTokens, choices } = request;
      const what = `${projectId} ${model} ${promptTokens} + ${choices} × ${maxOutputTokens}`;
      if (typeof call === "string") return `${what}, refused by ${call}`;
      return `${what}, ${call.requestId} holds ${call.admission.holdAmount}`;
    },
  },
  {
    name: "commit",
    weight: 24,
    isPossible: ({ process }) => process?.funds.hasQueue ?? false,
    take(simulation) {
      simulation.commit();
      return `${simulation.ledger.posted} posted, ${simulation.ledger.held} held`;
    },
  },
  {
    name: "answer",
    weight: 36,
    isPossible: ({ process }) => process?.funds.hasAnswer ?? false,
    take({ process }) {
      process?.funds.answer();
      return "of the last commit";
    },
  },
  {
    name: "generate",
    weight: 10,
    isPossible: (simulation) => asked(simulation).length > 0,
    take(simulation) {
      const call = pickFrom(simulation.random, asked(simulation));
      const tokens = (call.invoice?.completionTokens ?? 0) + simulation.random.between(0, call.maxTokens);
      call.generate(tokens);
      return `${call.requestId} has ${tokens} tokens`;
    },
  },
  {
    name: "reply",
    weight: 24,
    isPossible: (simulation) => asked(simulation).length > 0,
    take(simulation) {
      const call = pickFrom(simulation.random, asked(simulation));
      const usage = drawUsage(simulation.random, call);
      void call.complete(usage);
      return `${call.requestId} with the usage ${JSON.stringify(usage)}`;
    },
  },
  {
    name: "fail",
    weight: 4,
    isPossible: (simulation) => asked(simulation).some(({ invoice }) => invoice === null),
    take(simulation) {
      const call = pickFrom(
        simulation.random,
        asked(simulation).filter(({ invoice }) => invoice === null),
      );
      const wasSent = simulation.random.chance(0.5);
      void call.fail({ wasSent });
      return `${call.requestId}, ${wasSent ? "sent" : "not sent"}`;
    },
  },
  {
    name: "client leaves",
    weight: 5,
    isPossible: ({ calls }) => calls.some(isAtProvider),
    take({ random, calls }) {
      const call = pickFrom(random, calls.filter(isAtProvider));
      void call.leave();
      return call.requestId;
    },
  },
  {
    name: "time",
    weight: 14,
    isPossible: () => true,
    take(simulation) {
      const { random } = simulation;
      const ms = random.pick([0, 1, 300, SECOND, 10 * SECOND, 30 * SECOND, 61 * SECOND, HOUR, 8 * HOUR]);
      const passed = ms + random.between(0, Math.min(ms, SECOND));
      simulation.pass(passed);
      return `${passed} ms pass`;
    },
  },
  {
    name: "limit",
    weight: 4,
    isPossible: () => true,
    take(simulation) {
      const { projectId, model } = drawRequest(simulation);
      const pair = `${projectId} ${model}`;
      const limits = drawLimits(simulation.random);
      simulation.limits.set(pair, limits);
      return `${pair} ${JSON.stringify(limits)}`;
    },
  },
  {
    name: "spend limit",
    weight: 2,
    isPossible: () => true,
    take(simulation) {
      const { random } = simulation;
      const scope = random.pick([null, "proj_a", "proj_b"]);
      const limit = random.chance(0.4) ? null : toNano(BigInt(random.between(0, 8_000)));
      simulation.limitSpend(scope, limit);
      return `${limit ?? "none"} for ${scope ?? "all"}`;
    },
  },
  {
    name: "payment",
    weight: 4,
    isPossible: isUp,
    take(simulation) {
      const { random, intents, nowMs } = simulation;
      const again = intents.filter((one) => !one.isConfirmed && nowMs - one.madeAtMs < 20 * HOUR);
      const amount = toNano(BigInt(random.between(1, 4_000)));
      const intent =
        again.length > 0 && random.chance(0.7)
          ? pickFrom(random, again)
          : { key: `pay-${intents.length}`, amount, madeAtMs: nowMs, isConfirmed: false };
      if (!intents.includes(intent)) intents.push(intent);
      void simulation.pay(intent);
      return `${intent.key} of ${intent.amount}`;
    },
  },
  {
    name: "overdraft",
    weight: 1,
    isPossible: isUp,
    take(simulation) {
      simulation.overdraw(drawRequest(simulation));
      return "asks for more than was ever paid";
    },
  },
  {
    name: "end again",
    weight: 2,
    isPossible: isUp,
    take({ process }) {
      process?.funds.endAgain();
      return "what was ended last";
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
  {
    name: "crash",
    weight: 3,
    isPossible: isUp,
    take(simulation) {
      const { length } = simulation.calls;
      simulation.crash();
      return `with ${length} calls open`;
    },
  },
  {
    name: "start",
    weight: 30,
    isPossible: ({ process }) => process === null,
    async take(simulation) {
      await simulation.start();
      return simulation.process ? `with ${simulation.ledger.posted} posted` : "in vain";
    },
  },
];

function isAtProvider({ stage }: SimulatedCall): boolean {
  return stage === "asked" || stage === "ending";
}

function asked({ calls }: Simulation): SimulatedCall[] {
  return calls.filter(({ stage }) => stage === "asked");
}
