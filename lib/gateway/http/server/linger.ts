const LINGER_SECONDS = 5;
/** How long a client is read that goes on sending at this rate or faster, such as the rest of a refused upload. */
const MAX_LINGER_SECONDS = 30;
const MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * The time after the end of this half of a connection, in which what the client still sends is discarded: closing at
 * once would reset the connection, and take the reply from a client that hasn't read it.
 */
export class Linger {
  #endsAt: number;
  #discardedBytes = 0;

  /**
   * @param startedAt seconds. @param isShort for a server that is being stopped, or a client that has ended its half.
   */
  constructor(
    private readonly startedAt: number,
    isShort: boolean,
  ) {
    this.#endsAt = startedAt + (isShort ? 1 : LINGER_SECONDS);
  }

  discard(bytes: number): void {
    this.#discardedBytes += bytes;
  }

  isOver(now: number): boolean {
    if (now < this.#endsAt) return false;
    const isSending = this.#discardedBytes >= LINGER_SECONDS * MIN_BYTES_PER_SECOND;
    this.#discardedBytes = 0;
    this.#endsAt += LINGER_SECONDS;
    return !isSending || now >= this.startedAt + MAX_LINGER_SECONDS;
  }
}
