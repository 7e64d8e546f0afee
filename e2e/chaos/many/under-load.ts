import type { Outcome, ScenarioOrder } from "../scenario";
import { loadMany } from "./load-many";
import { type ManyStage, startManyGateways } from "./start-many-gateways";

const KEYS = 4;
const CALLS_AFTER = 100;
/** A call that begins while the store is away is refused within this time, and a moment for a busy machine. */
const REFUSED_WITHIN_MS = 2_500;
const BACK_WITHIN_MS = 10_000;

type Load = ReturnType<typeof loadMany>;

interface UnderLoad extends NonNullable<Parameters<typeof startManyGateways>[0]> {
  /** Whether every hold must have ended. */
  readonly mustSettle?: boolean;
}

/** What breaks the gateways, and what it has seen. */
type Disturb = (stage: ManyStage, load: Load) => Promise<Outcome>;

/** Disturbs three gateways under load, then compares the three books and runs doctor. */
export async function underLoad(
  order: ScenarioOrder,
  disturb: Disturb,
  { mustSettle = true, ...options }: UnderLoad = {},
): Promise<Outcome> {
  const stage = await startManyGateways({ keyCount: KEYS, ...options });
  const load = loadMany(stage, order);
  try {
    const seen = await disturb(stage, load);
    await load.goesOn(CALLS_AFTER);
    const calls = await load.end();
    if (mustSettle) await stage.settle(true);
    const { faults, figures } = await stage.reconcile(calls);
    const refused = calls.filter(({ status }) => status === 503).length;
    return {
      faults: [...seen.faults, ...faults],
      figures: { ...figures, "refused 503": refused, ...seen.figures },
    };
  } finally {
    void load.end();
    await stage.stop();
  }
}

/** What happens while the store is away, as often as the row says: 503 in time, and each gateway recovers alone. */
export async function awayTimes(
  { size, isSmoke, random }: ScenarioOrder,
  load: Load,
  {
    callsBefore,
    away,
    gateway,
  }: {
    readonly callsBefore: number;
    /** Takes the store away, and brings it back. */
    away(time: number): Promise<void>;
    /** Whose store is away; absent for all. */
    readonly gateway?: number;
  },
): Promise<Outcome> {
  const faults: string[] = [];
  let slowestBackMs = 0;
  for (let time = 0; time < size; time++) {
    await load.goesOn(random.between(1, callsBefore));
    const goneAtMs = performance.now();
    await away(time);
    const backAtMs = performance.now();
    const backMs = await load.goesOnEverywhere(BACK_WITHIN_MS);
    slowestBackMs = Math.max(slowestBackMs, backMs);
    if (isSmoke) continue;
    const isSlow = ({ beganAtMs, elapsedMs, isComplete, gateway: of }: Load["received"][number]) =>
      !isComplete &&
      beganAtMs > goneAtMs &&
      beganAtMs < backAtMs &&
      elapsedMs > REFUSED_WITHIN_MS &&
      (gateway === undefined || of === gateway);
    for (const { elapsedMs, status } of load.received.filter(isSlow))
      faults.push(`A call got ${status} after ${Math.round(elapsedMs)} ms while the store was away`);
  }
  return { faults, figures: { times: size, "back ms": Math.round(slowestBackMs) } };
}

/** Without a call that another gateway has taken over, and whose client got the whole reply nevertheless. */
export function exceptTakenOver(faults: readonly string[]): string[] {
  return faults.filter((fault) => !/nano-units are booked|its charge is interrupted/.test(fault));
}
