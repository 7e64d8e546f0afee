import type { StoredResponse } from "../../log/responses/response-store.sql";

/** What the responses of one connection, and of all together, may take, as JSON. */
const MAX_OF_CONNECTION = 16 * 1024 * 1024;
const MAX_OF_ALL = 256 * 1024 * 1024;

/** What all connections hold. */
export interface HeldCharacters {
  held: number;
}

/**
 * The responses of one WebSocket that nothing else keeps, from which its next turns may go on. The oldest are forgotten
 * when others need room: their clients send the whole conversation again.
 */
export class ConnectionResponses {
  /** In the order in which they came, by id. */
  readonly #responses = new Map<string, { readonly stored: StoredResponse; readonly characters: number }>();
  #characters = 0;

  constructor(
    private readonly all: HeldCharacters = { held: 0 },
    private readonly maxCharacters = MAX_OF_CONNECTION,
  ) {}

  note(stored: StoredResponse): void {
    const characters = JSON.stringify([stored.input, stored.output]).length;
    this.forget(stored.id);
    for (const id of this.#responses.keys()) {
      if (this.#characters + characters <= this.maxCharacters) break;
      this.forget(id);
    }
    if (this.#characters + characters > this.maxCharacters || this.all.held + characters > MAX_OF_ALL) return;
    this.#responses.set(stored.id, { stored, characters });
    this.#characters += characters;
    this.all.held += characters;
  }

  find(id: string): StoredResponse | null {
    return this.#responses.get(id)?.stored ?? null;
  }

  forget(id: string): void {
    const characters = this.#responses.get(id)?.characters ?? 0;
    this.#responses.delete(id);
    this.#characters -= characters;
    this.all.held -= characters;
  }

  forgetAll(): void {
    for (const id of this.#responses.keys()) this.forget(id);
  }
}

/** A turn of a WebSocket, as the request that a client without one would send. */
export class TurnRequest extends Request {
  readonly responses: ConnectionResponses;
  /** Whether only its items are kept, to go on from: nothing is generated. */
  readonly isWarmUp: boolean;

  constructor(
    url: string,
    options: RequestInit,
    { responses, isWarmUp }: Pick<TurnRequest, "responses" | "isWarmUp">,
  ) {
    super(url, options);
    this.responses = responses;
    this.isWarmUp = isWarmUp;
  }
}
