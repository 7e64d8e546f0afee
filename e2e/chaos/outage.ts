import { until } from "../support/clients/until";
import { openHolds } from "./books/read-ledger";
import { reconcile } from "./books/reconcile";
import type { Received } from "./clients/call-gateway";
import { keepCalling, type NextCall } from "./clients/keep-calling";
import type { Outcome, ScenarioOrder } from "./scenario";
import { PLAIN_MODEL, type Stage } from "./start-stage";

const REFUSED_WITHIN_MS = 2_000;
export const RECOVERED_WITHIN_MS = 10_000;
const CALLS_BEFORE = 50;
/** After how many words the calls wait that the outage interrupts. */
const CAUGHT_AFTER = 2;

/** Makes the store unavailable, and available again. */
interface Outage {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/**
 * Makes the store unavailable with calls in flight and goes on calling. In the outage each call either has its hold
 * stored, or is refused with 503 within two seconds and never sent to the provider. Afterwards the gateway must recover
 * by itself.
 */
export async function sufferOutage(
  stage: Stage,
  { size, random }: ScenarioOrder,
  outage: Outage,
): Promise<Outcome> {
  const next = (waitAfter?: number) => ({
    model: PLAIN_MODEL.id,
    isStream: random.chance(0.5),
    script: {
      promptTokens: random.between(1, 50),
      completionTokens: CAUGHT_AFTER + random.between(0, 3),
      ...(waitAfter && { waitAfter }),
    },
  });
  const before = await keepCalling(stage, {
    prefix: "before-",
    next: (count) => count < CALLS_BEFORE && next(),
  });
  const caughtCount = stage.keys.length;
  const caught = keepCalling(stage, {
    prefix: "caught-",
    next: (count) => count < caughtCount && next(CAUGHT_AFTER),
  });
  await until("the provider has those in flight", async () => (await stage.waiting()).length === caughtCount);
  await outage.begin();
  await stage.letGo();
  const during = await keepCalling(stage, {
    prefix: "during-",
    next: (count) => count < size && next(),
  });
  const isReady = (await fetch(`${stage.gateway.url}/readyz`)).status === 200;
  await outage.end();
  const { after, recoveryMs } = await recover(stage, next);

  const invoices = stage.invoices();
  const calls = [...before, ...(await caught), ...during, ...after];
  const ledger = stage.ledger();
  const { faults, figures } = reconcile({ calls, invoices, ledger, models: stage.models });
  // A call that was held and sent is charged, at the latest after the outage. A hold may be stored even though its call
  // was refused.
  const held = new Set(ledger.holds.map(({ requestId }) => requestId));
  const isCharged = ({ requestId, script }: Received) =>
    held.has(requestId ?? "") && invoices.has(script.nonce);
  const refused = during.filter((call) => !call.isComplete && !isCharged(call));
  if (refused.length === 0) faults.push("Nothing was refused: the outage was none");
  if (isReady) faults.push("/readyz says that all is well during the outage");
  faults.push(...refused.flatMap((call) => findRefusalFaults(call)));
  const sent = refused.filter(({ script }) => invoices.has(script.nonce));
  faults.push(...sent.map(({ script }) => `${script.nonce}: sent to the provider, and refused`));
  const slowestMs = Math.round(Math.max(0, ...refused.map(({ elapsedMs }) => elapsedMs)));
  const times = { "slowest refusal ms": slowestMs, "recovery ms": Math.round(recoveryMs) };
  return { faults, figures: { ...figures, "in flight": caughtCount, refused: refused.length, ...times } };
}

async function recover(stage: Stage, next: () => NextCall) {
  const after: Received[] = [];
  const isAnswered = async () => {
    const one = { ...stage, keys: stage.keys.slice(0, 1) };
    const prefix = `after-${after.length}-`;
    const [received] = await keepCalling(one, { prefix, next: (count) => count === 0 && next() });
    if (received) after.push(received);
    return received?.isComplete === true;
  };
  const recoveryMs = await until("calls are answered again", isAnswered, RECOVERED_WITHIN_MS);
  await until("every hold is resolved", () => openHolds(stage.ledger()) === 0, RECOVERED_WITHIN_MS);
  return { after, recoveryMs };
}

export function findRefusalFaults({ script, status, headers, elapsedMs, text }: Received): string[] {
  const faults: string[] = [];
  const fault = (what: string) => faults.push(`${script.nonce}: ${what}`);
  if (status !== 503) fault(`answered ${status} instead of 503: ${text.slice(-200)}`);
  if (!(Number(headers?.get("retry-after")) >= 1)) fault("refused without a retry-after");
  if (elapsedMs >= REFUSED_WITHIN_MS) fault(`refused only after ${Math.round(elapsedMs)} ms`);
  return faults;
}
