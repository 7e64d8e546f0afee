import { Refusal } from "../refusal";

/** The queue has no place for more work. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/**
 * Runs at most `maxRunning` pieces of work at a time, with at most `maxQueued` others waiting.
 * @returns a function that runs a piece of work, and rejects with `QueueFull` if the queue is full.
 */
export function limitConcurrency({ maxRunning, maxQueued }: { maxRunning: number; maxQueued: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  const acquire = async () => {
    if (running < maxRunning) {
      running++;
      return;
    }
    if (queue.length >= maxQueued) throw new QueueFull();
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  };
  /** Passes the place to the first in the queue, so that no newcomer takes it. */
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };
}

/** Argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet), in PHC string format. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** A hash costs as much as hundreds of calls, and calls must be answered however many people sign in. */
const inPlace = limitConcurrency({ maxRunning: 2, maxQueued: 50 });

/** @throws Refusal 503 if too many wait already. */
export function hashPassword(password: string): Promise<string> {
  return inPlace(() => Bun.password.hash(password.normalize("NFKC"), ARGON2ID)).catch(refuse);
}

/** @throws Refusal 503 if too many wait already. */
export function verifyPassword(password: string, hash: string): Promise<boolean> {
  return inPlace(() => Bun.password.verify(password.normalize("NFKC"), hash)).catch(refuse);
}

function refuse(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error;
  const message = "Too many people are signing in at this moment. Try again in a few seconds.";
  throw new Refusal(503, "service_error", "too_many_attempts", message, { headers: { "retry-after": "2" } });
}
