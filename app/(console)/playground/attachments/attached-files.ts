import type { Attachment } from "@/components/playground/messages/message";
import { countAttachmentBytes, readAttachments } from "./read-attachments";

interface AttachedState {
  readonly attachments: readonly Attachment[];
  /** True while files are being read, which are not among the attachments yet. */
  readonly isReading: boolean;
}

/** The files of the message being written. They are read in turn, so that each counts those before it. */
export class AttachedFiles {
  #state: AttachedState = { attachments: [], isReading: false };
  /** Resolves with true if all files given so far could be attached. */
  #reading: Promise<boolean> = Promise.resolve(true);
  #waiting = 0;
  /** Counts how often all files were discarded: those that were being read then are discarded, too. */
  #discards = 0;
  #restored: readonly Attachment[] | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly report: (refusal: string) => void,
    private readonly read = readAttachments,
  ) {}

  get state(): AttachedState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly attach = (files: readonly File[]): void => {
    const discards = this.#discards;
    const before = this.#waiting === 0 ? Promise.resolve(true) : this.#reading;
    this.#waiting++;
    this.#change({ isReading: true });
    this.#reading = before.then(async (areAttached) => {
      const { attachments, refused } = await this.read(files, countAttachmentBytes(this.#state.attachments));
      this.#waiting--;
      const isWanted = discards === this.#discards;
      this.#change({
        isReading: this.#waiting > 0,
        attachments: [...this.#state.attachments, ...(isWanted ? attachments : [])],
      });
      if (isWanted) refused.forEach(this.report);
      return areAttached && isWanted && refused.length === 0;
    });
  };

  readonly detach = (one: Attachment): void =>
    this.#change({ attachments: this.#state.attachments.filter((other) => other !== one) });

  /**
   * Waits for the files that are being read.
   * @returns false if one of them wasn't attached.
   */
  async settle(): Promise<boolean> {
    return !this.#state.isReading || (await this.#reading);
  }

  /**
   * Removes all attachments.
   * @returns the removed ones.
   */
  take(): readonly Attachment[] {
    const { attachments } = this.#state;
    this.#change({ attachments: [] });
    return attachments;
  }

  /** Restores attachments, unless others have been added since. */
  restore(taken: readonly Attachment[]): void {
    if (this.#state.attachments.length > 0) return;
    this.#restored = taken;
    this.#change({ attachments: taken });
  }

  /** Removes restored attachments again, unless they were changed since. */
  dropRestored(): void {
    if (this.#restored === this.#state.attachments) this.take();
  }

  readonly discard = (): void => {
    this.#discards++;
    this.take();
  };

  #change(next: Partial<AttachedState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }
}
