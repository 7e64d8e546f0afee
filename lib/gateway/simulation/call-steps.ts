import { HOUR_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { drawLimits, drawRequest, drawUsage, pickFrom } from "./draw";
import type { Simulation, Step } from "./simulation";

const isUp = ({ running }: Simulation) => running.length > 0;
const findUnanswered = ({ calls }: Simulation) => calls.filter(({ call }) => call.stage === "asked");
const unread = (simulation: Simulation) =>
  findUnanswered(simulation).filter(({ call }) => call.invoice === null);
const atProvider = ({ calls }: Simulation) =>
  calls.filter(({ call }) => call.stage === "asked" || call.stage === "ending");

/** The possible steps of clients, providers and administrators. */
export const callSteps: readonly Step[] = [
  {
    name: "call",
    weight: 30,
    isPossible: isUp,
    async take(simulation) {
      const request = drawRequest(simulation);
      const call = simulation.findGateway(request).call(request);
      await new Promise(setImmediate);
      const { projectId, model, promptTokens, maxOutputTokens, choices } = request;
      const what = `${projectId} ${model} ${promptTokens} + ${choices} × ${maxOutputTokens}`;
      if (!call) return `${what}, nobody is there`;
      if (call.refusedBy) return `${what}, refused by ${call.refusedBy}`;
      if (call.stage === "over") return `${what}, refused since the store does not answer`;
      return `${what}, ${call.requestId} holds ${call.admission.holdAmount}`;
    },
  },
  {
    name: "generate",
    weight: 10,
    isPossible: (simulation) => findUnanswered(simulation).length > 0,
    take(simulation) {
      const { call, gateway } = pickFrom(simulation.random, findUnanswered(simulation));
      const tokens = (call.invoice?.completionTokens ?? 0) + simulation.random.between(0, call.maxTokens);
      gateway.act(() => call.generate(tokens));
      return `${call.requestId} has ${tokens} tokens`;
    },
  },
  {
    name: "reply",
    weight: 24,
    isPossible: (simulation) => findUnanswered(simulation).length > 0,
    take(simulation) {
      const { call, gateway } = pickFrom(simulation.random, findUnanswered(simulation));
      const usage = drawUsage(simulation.random, call);
      void gateway.act(() => call.complete(usage));
      return `${call.requestId} with the usage ${JSON.stringify(usage)}`;
    },
  },
  {
    name: "fail",
    weight: 4,
    isPossible: (simulation) => unread(simulation).length > 0,
    take(simulation) {
      const { call, gateway } = pickFrom(simulation.random, unread(simulation));
      const wasSent = simulation.random.chance(0.5);
      void gateway.act(() => call.fail({ wasSent }));
      return `${call.requestId}, ${wasSent ? "sent" : "not sent"}`;
    },
  },
  {
    name: "client leaves",
    weight: 5,
    isPossible: (simulation) => atProvider(simulation).length > 0,
    take(simulation) {
      const { call, gateway } = pickFrom(simulation.random, atProvider(simulation));
      void gateway.act(() => call.leave());
      return call.requestId;
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
      const repeatable = intents.filter((one) => !one.isConfirmed && nowMs - one.madeAtMs < 20 * HOUR_MS);
      const amount = toNano(BigInt(random.between(1, 4_000)));
      const intent =
        repeatable.length > 0 && random.chance(0.7)
          ? pickFrom(random, repeatable)
          : { key: `pay-${intents.length}`, amount, madeAtMs: nowMs, isConfirmed: false };
      if (!intents.includes(intent)) intents.push(intent);
      const gateway = pickFrom(random, simulation.running);
      void gateway.act(() => gateway.pay(intent));
      return `${intent.key} of ${intent.amount}`;
    },
  },
  {
    name: "correction",
    weight: 3,
    isPossible: (simulation) => isUp(simulation) && simulation.ledger.corrections.remaining.size > 0,
    take(simulation) {
      const { random, ledger } = simulation;
      const corrects = pickFrom(random, [...ledger.corrections.remaining.keys()]);
      const amount = random.chance(0.3) ? null : toNano(BigInt(random.between(1, 2_000)));
      const gateway = pickFrom(random, simulation.running);
      void gateway.act(() => gateway.correct(corrects, amount));
      return `${corrects} by ${amount ?? "all"}`;
    },
  },
  {
    name: "overdraft",
    weight: 1,
    isPossible: isUp,
    take(simulation) {
      const paidSum = simulation.intents.reduce((sum, { amount }) => sum + amount, 0n);
      pickFrom(simulation.random, simulation.running).overdraw(drawRequest(simulation), paidSum + 1_000_000n);
      return "asks for more than was ever paid";
    },
  },
];
