/** How a gateway stops that is asked to (SIGTERM), in seconds. */
export interface StopTimes {
  /** How long it still takes calls while `/readyz` says no, so that a load balancer notices. */
  readonly drainSeconds: number;
  /** How long calls under way may then go on before they are broken off. */
  readonly stopSeconds: number;
}

/** Nothing takes over from a gateway that is alone. */
const DRAIN_SECONDS = 5;
const STOP_SECONDS = 60;
const MAX_SECONDS = 3_600;

/** @param fault is told of a value that is no such time. */
export function readStopTimes(
  environment: Readonly<Record<string, string | undefined>>,
  fault: (text: string) => void,
): StopTimes {
  const read = (name: string, fallback: number) => {
    const text = environment[name];
    if (!text) return fallback;
    if (/^\d{1,4}$/.test(text) && Number(text) <= MAX_SECONDS) return Number(text);
    fault(`${name} is "${text}": set it to a whole number of seconds from 0 to ${MAX_SECONDS}.`);
    return fallback;
  };
  return {
    drainSeconds: read("GATEHOUSE_DRAIN_SECONDS", environment.DATABASE_URL ? DRAIN_SECONDS : 0),
    stopSeconds: read("GATEHOUSE_STOP_SECONDS", STOP_SECONDS),
  };
}
