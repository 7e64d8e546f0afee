import { Refusal, retryAfter } from "../refusal";
import { StreamedResponse, type StreamSource } from "./response";

/** A program may follow many tasks at a time; more than this is one that never closes its streams. */
const MAX_OF_KEY = 250;
const MAX_OF_PROJECT = 1_000;
const MAX = 4_000;
/** Connections that several people or programs behind one address may have. */
const MAX_OF_ADDRESS = 256;

/** Who reads a stream. */
interface StreamReader {
  /** The key, or the person of a session. */
  readonly keyId: string;
  /** Null for callers of the whole organization. */
  readonly projectId: string | null;
  /** Its network address, where what it reads counts by that too. */
  readonly address?: string | null;
}

/** The streams that are open: events and exports. Each key and each project has its share of them. */
export class OpenStreams {
  readonly #ending = new AbortController();
  #count = 0;
  readonly #counts = new Map<string, number>();

  /** Aborts when streams of events are to end, which would go on for long: their readers follow elsewhere. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  endEvents(): void {
    this.#ending.abort();
  }

  /** Takes a place. @returns what frees it. @throws Refusal 429 where its key, project, address or all have many. */
  enter({ keyId, projectId, address = null }: StreamReader): () => void {
    const shares = [{ name: keyId, max: MAX_OF_KEY, whose: "This key has" }];
    if (projectId !== null) shares.push({ name: projectId, max: MAX_OF_PROJECT, whose: "This project has" });
    if (address !== null)
      shares.push({ name: `address ${address}`, max: MAX_OF_ADDRESS, whose: "This address has" });
    const full = shares.find(({ name, max }) => (this.#counts.get(name) ?? 0) >= max);
    if (full) throw tooManyStreams(full.whose, full.max);
    if (this.#count >= MAX) throw tooManyStreams("This gateway has", MAX);
    for (const { name } of shares) this.#add(name, 1);
    this.#count++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const { name } of shares) this.#add(name, -1);
      this.#count--;
    };
  }

  #add(name: string, change: number): void {
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

function tooManyStreams(whose: string, max: number): Refusal {
  const message = `${whose} ${max} streams open, which is the most. Close one, then try again.`;
  return new Refusal(429, "rate_limit_error", "concurrency", message, { headers: retryAfter(1) });
}

/** Tells the client how soon to reconnect after the stream has ended. */
const RETRY_MS = 1_000;

interface EventsOptions {
  readonly headers: Readonly<Record<string, string>>;
  logFault(error: unknown): void;
  /** Called once, when the stream ends or its reader leaves. */
  onEnd(): void;
}

/**
 * Sends `events` as server-sent events, as fast as the client reads. The stream ends with the client or with `events`,
 * and breaks off if `events` fails.
 */
export function answerEvents(
  events: AsyncIterator<unknown>,
  { headers, logFault, onEnd }: EventsOptions,
): Response {
  const encoder = new TextEncoder();
  let isFirst = true;
  let isGone = false;
  const source: StreamSource = {
    async pull(controller) {
      try {
        const next = await events.next();
        if (isGone) return;
        if (next.done) {
          onEnd();
          return controller.close();
        }
        const retry = isFirst ? `retry: ${RETRY_MS}\n` : "";
        isFirst = false;
        // A comment keeps an idle connection open.
        const text = next.value === undefined ? ":\n\n" : `${retry}data: ${JSON.stringify(next.value)}\n\n`;
        controller.enqueue(encoder.encode(text));
      } catch (error) {
        onEnd();
        if (!(error instanceof Refusal)) logFault(error);
        controller.error();
      }
    },
    async cancel() {
      isGone = true;
      onEnd();
      await events.return?.();
    },
  };
  return new StreamedResponse(source, { headers: { ...headers, "content-type": "text/event-stream" } });
}
