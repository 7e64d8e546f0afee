import { DAY_MS } from "@/lib/contract/durations";
import type { ErrorCode } from "@/lib/contract/errors";
import { invalid, Refusal, retryAfter } from "../refusal";

/** How long a repeated key gets the reply of its first request. */
export const IDEMPOTENCY_MS = DAY_MS;

const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/**
 * An idempotency key with the hash of its request. A repeat within 24 hours gets the first reply; a different body is a
 * conflict.
 */
export interface Idempotency {
  readonly scope: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** SHA-256 of a request's body, in hexadecimal. */
export function hashBody(body: string): string {
  return new Bun.CryptoHasher("sha256").update(body).digest("hex");
}

/** The scope of a call's key: keys of other callers and projects are different ones. */
export function formatIdempotencyScope(projectId: string, callerId: string): string {
  return `${projectId} ${callerId}`;
}

/** @throws Refusal 400 if the header `Idempotency-Key` is malformed. */
export function refuseMalformedKey(key: string | null): void {
  if (key === null || IDEMPOTENCY_KEY.test(key)) return;
  const message = "Idempotency-Key must be 1 to 255 printable characters without spaces.";
  throw invalid("Idempotency-Key", message);
}

const MAX_WAITING = 100;

interface CallInProgress {
  readonly bodyHash: string;
  readonly over: Promise<void>;
  waiting: number;
}

/** An idempotency key that a call holds until it ends. */
export class IdempotencyLock {
  #endsWithHold = false;

  constructor(
    readonly idempotency: Idempotency,
    readonly release: () => void,
  ) {}

  /** Whether the key is given back when the call's hold ends. */
  get endsWithHold(): boolean {
    return this.#endsWithHold;
  }

  /** The call's hold was placed. */
  passToHold(): void {
    this.#endsWithHold = true;
  }
}

/** The calls in progress with an idempotency key; one at a time per key. */
export class IdempotencyLocks {
  readonly #calls = new Map<string, CallInProgress>();

  /**
   * Waits for the key and locks it. Clients retry two or three times within seconds: a repeat that waits gets its
   * reply, whereas a refused client would use up its retries before the first call ends.
   * @throws Refusal 409 for another body, where too many repeats wait, or once the client is gone.
   */
  async acquire(idempotency: Idempotency, clientSignal: AbortSignal): Promise<IdempotencyLock> {
    const id = `${idempotency.scope} ${idempotency.key}`;
    for (;;) {
      const first = this.#calls.get(id);
      if (!first) return this.#acquire(id, idempotency);
      if (first.bodyHash !== idempotency.bodyHash) throw idempotencyConflict();
      if (first.waiting >= MAX_WAITING) throw inProgress();
      first.waiting++;
      await waitUntilOver(first.over, clientSignal);
      first.waiting--;
      if (clientSignal.aborted) throw inProgress();
    }
  }

  #acquire(id: string, idempotency: Idempotency): IdempotencyLock {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#calls.set(id, { bodyHash: idempotency.bodyHash, over: promise, waiting: 0 });
    const release = () => {
      this.#calls.delete(id);
      resolve();
    };
    return new IdempotencyLock(idempotency, release);
  }
}

async function waitUntilOver(over: Promise<void>, clientSignal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const leave = () => gone.resolve();
  clientSignal.addEventListener("abort", leave, { once: true });
  if (clientSignal.aborted) leave();
  await Promise.race([over, gone.promise]);
  clientSignal.removeEventListener("abort", leave);
}

/** A call that found its key taken by a call in another process, after it had looked for one. It is made once more. */
export class TakenElsewhere extends Error {
  override readonly name = "TakenElsewhere";
}

/** 409: the key belongs to another request. */
export function idempotencyConflict(): Refusal {
  const message =
    "This Idempotency-Key came with another request before; send a new key, or the same request.";
  return refused("idempotency_conflict", message, { "x-should-retry": "false" });
}

/** 409: another call with the key is under way. */
export function inProgress(): Refusal {
  const message = "The first call with this Idempotency-Key is still under way. Try again in a second.";
  return refused("idempotency_in_progress", message, retryAfter(1));
}

/** A 409; the official clients read `x-should-retry` before they repeat one. */
export function refused(
  code: ErrorCode & `idempotency_${string}`,
  message: string,
  headers: Readonly<Record<string, string>>,
): Refusal {
  return new Refusal(409, "conflict_error", code, message, { param: "Idempotency-Key", headers });
}
