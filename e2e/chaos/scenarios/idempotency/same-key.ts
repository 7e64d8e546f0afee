import { until } from "@/e2e/support/clients/until";
import { findRepeatFaults } from "../../books/find-repeat-faults";
import { openHolds } from "../../books/read-ledger";
import type { ClientCall, Received } from "../../clients/call-gateway";
import { raceCalls } from "../../clients/race-calls";
import type { ProviderScript } from "../../provider/provider-script";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";
import { type AnyStage, PLAIN_MODEL, type StartStage, startFaultStage } from "../../start-stage";

const MAX_CONCURRENT = 20;
const OTHER = "other";

export const sameKey: Scenario = {
  name: "same-key",
  does: "{size} idempotency keys, each raced by two to six calls at once, of one body or of two, some failing at first; and calls without a key",
  full: 2_000,
  smoke: 60,
  run: (order) => raceWithKeys(order, startFaultStage),
};

export async function raceWithKeys({ size, random }: ScenarioOrder, start: StartStage): Promise<Outcome> {
  const stage = await start();
  const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
  const options = { baseUrls: stage.baseUrls, key };
  try {
    const calls = [];
    for (let at = 0; at < size; at += MAX_CONCURRENT) {
      const count = Math.min(MAX_CONCURRENT, size - at);
      const asked = Array.from({ length: count }, (_, index) => clientCall(at + index, keyId, random)).flat();
      calls.push(...(await raceTwoBodies(asked, stage, options)));
      // Later repeats must get the same results as the racers.
      calls.push(...(await Promise.all(await raceCalls(asked.filter(isRepeated), options))));
    }
    await until("every hold is resolved", async () => openHolds(await stage.ledger()) === 0);
    const books = { calls, invoices: stage.invoices(), ledger: await stage.ledger(), models: stage.models };
    const faults = findRepeatFaults(books);
    const replayed = calls.filter(({ headers }) => headers?.has("idempotency-replayed")).length;
    const conflicts = calls.filter(({ status }) => status === 409).length;
    if (replayed === 0 || conflicts === 0) faults.push("Nothing was replayed, or nothing in conflict");
    return { faults, figures: { calls: calls.length, sent: books.invoices.size, replayed, conflicts } };
  } finally {
    await stage.stop();
  }
}

const isRepeated = ({ idempotencyKey }: ClientCall) => idempotencyKey !== undefined;

/** The calls with one key, or a single call without a key. */
function clientCall(index: number, keyId: string, random: ScenarioOrder["random"]): ClientCall[] {
  const script: ProviderScript = {
    nonce: `n${index}`,
    promptTokens: random.between(1, 50),
    completionTokens: random.between(1, 9),
  };
  const asked = { keyId, model: PLAIN_MODEL.id, isStream: random.chance(0.5), script };
  const form = random.pick(["alike", "alike", "two bodies", "fails at first", "without a key"]);
  if (form === "without a key") return [asked];
  // Half of the calls have one body and half the other. The first call stays in progress until the calls with the other
  // body are refused.
  const isTwoBodies = form === "two bodies";
  const count = isTwoBodies ? 2 * random.between(1, 3) : random.between(2, 6);
  return Array.from({ length: count }, (_, at) => ({
    ...asked,
    idempotencyKey: `key-${index}`,
    script: {
      ...script,
      ...(isTwoBodies && { nonce: at % 2 === 0 ? `${OTHER}-${index}` : `${OTHER}-${index}b`, waitAfter: 0 }),
      ...(form === "fails at first" && { faults: [500] }),
    },
  }));
}

/** Races all calls. Those with the second body of a key are refused while the first one is in progress. */
async function raceTwoBodies(
  asked: readonly ClientCall[],
  stage: AnyStage,
  options: Parameters<typeof raceCalls>[1],
): Promise<Received[]> {
  const racing = await raceCalls(asked, options);
  let refused = 0;
  for (const call of racing) void call.then(({ status }) => status === 409 && refused++);
  const ofTwo = asked.filter(({ script }) => script.nonce.startsWith(OTHER));
  const keys = new Set(ofTwo.map(({ idempotencyKey }) => idempotencyKey)).size;
  await until(
    "the other bodies are refused, the first ones under way",
    async () => refused >= ofTwo.length / 2 && (await stage.waiting()).length === keys,
  );
  await stage.letGo();
  return Promise.all(racing);
}
