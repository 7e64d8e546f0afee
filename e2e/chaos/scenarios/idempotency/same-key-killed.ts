import { setTimeout } from "node:timers/promises";
import { until } from "@/e2e/support/clients/until";
import { findChargedRequest, findRepeatFaults } from "../../books/find-repeat-faults";
import { openHolds } from "../../books/read-ledger";
import { type ClientCall, callGateway, findErrorCode, type Received } from "../../clients/call-gateway";
import type { Scenario, ScenarioOrder } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const CALLS = 24;
const WORDS = 6;
const MAX_SETTLE_MS = 8;
/**
 * The moments of the kill: while all calls are held, while they are settled, and after they are settled but before the
 * replies end.
 */
const moments = ["held", "settling", "settled"] as const;

export const sameKeyKilled: Scenario = {
  name: "same-key-killed",
  does: "kill -9 of the gateway between hold and charge and between charge and the reply's end, {size} times; then each call again with its key",
  full: 30,
  smoke: 3,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const calls: Received[] = [];
    const faults: string[] = [];
    try {
      for (let kill = 0; kill < size; kill++) {
        const moment = moments[kill % moments.length] ?? "held";
        const asked = Array.from({ length: CALLS }, (_, index) =>
          clientCall(`${kill}-${index}`, stage, random),
        );
        const first = await killAt(moment, asked, stage, random);
        // Calls that were not interrupted, next to the repeats.
        const others = Array.from({ length: CALLS }, (_, index): ClientCall => {
          const {
            idempotencyKey: _key,
            script,
            ...other
          } = clientCall(`${kill}-good-${index}`, stage, random);
          const { waitAfter: _wait, ...unheld } = script;
          return { ...other, script: unheld };
        });
        const [repeats, good] = await Promise.all([
          callAll([...asked, ...asked], stage),
          callAll(others, stage),
        ]);
        calls.push(...first, ...repeats, ...good);
        faults.push(
          ...good.filter(({ isComplete }) => !isComplete).map(({ script }) => `${script.nonce}: broken`),
        );
        faults.push(...repeats.flatMap((call) => faultsOfRepeat(moment, call)));
      }
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      faults.push(...findRepeatFaults(books));
      const replayed = calls.filter(({ headers }) => headers?.has("idempotency-replayed")).length;
      const refused = calls.filter(({ status }) => status === 409).length;
      return {
        faults,
        figures: { kills: size, calls: calls.length, replayed, "named their charge": refused },
      };
    } finally {
      await stage.stop();
    }
  },
};

function clientCall(name: string, { keys }: Stage, random: ScenarioOrder["random"]): ClientCall {
  return {
    keyId: keys[0]?.id ?? "",
    model: PLAIN_MODEL.id,
    isStream: random.chance(0.6),
    idempotencyKey: `key-${name}`,
    script: {
      nonce: `n${name}`,
      promptTokens: random.between(1, 50),
      completionTokens: WORDS,
      waitAfter: random.between(0, WORDS),
    },
  };
}

function callAll(
  asked: readonly ClientCall[],
  { baseUrl, keys }: Stage,
  signal?: AbortSignal,
): Promise<Received[]> {
  const key = keys[0]?.value ?? "";
  return Promise.all(asked.map((one) => callGateway(one, { baseUrl, key, ...(signal && { signal }) })));
}

/**
 * Kills the gateway at this moment of the calls, and restarts it.
 * @returns what the clients received before.
 */
async function killAt(
  moment: (typeof moments)[number],
  asked: readonly ClientCall[],
  stage: Stage,
  random: ScenarioOrder["random"],
): Promise<Received[]> {
  const clients = new AbortController();
  const calls = callAll(asked, stage, clients.signal);
  await until("the provider has them all", async () => (await stage.waiting()).length === asked.length);
  if (moment === "settled") {
    clients.abort();
    await calls;
  }
  if (moment !== "held") await stage.letGo();
  // No condition to wait for here: the kill should come at a random moment of the settlement.
  if (moment === "settling") await setTimeout(random.between(0, MAX_SETTLE_MS));
  if (moment === "settled") await until("all are charged", () => openHolds(stage.ledger()) === 0);
  await stage.gateway.restart("SIGKILL");
  return calls;
}

function faultsOfRepeat(moment: (typeof moments)[number], call: Received): string[] {
  const name = `${call.script.nonce}, killed when ${moment}`;
  if (findChargedRequest(call) === null) return [`${name}: the repeat is told of no charge, ${call.status}`];
  const code = findErrorCode(call);
  if (moment === "held" && code !== "idempotency_charged")
    return [`${name}: answered ${call.status}, ${code}`];
  if (moment === "settled" && !call.isComplete) return [`${name}: its reply is lost, ${call.status} ${code}`];
  return [];
}
