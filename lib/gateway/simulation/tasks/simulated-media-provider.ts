import { type MediaClient, OrderNotSent, OrderRefused, type RemoteState } from "../../providers/media-client";
import { BrokenInvariant } from "../broken-invariant";
import type { SeededRandom } from "../seeded-random";

/** The provider's record of one order. */
interface MadeOrder {
  readonly state: RemoteState;
}

/** A request that waits for its answer. The process that sent it may have died. */
interface Question {
  readonly what: string;
  answer(): void;
}

const running: RemoteState = { kind: "running", progress: 50 };
const endings: readonly [RemoteState, ...RemoteState[]] = [
  { kind: "succeeded", files: [{ position: 0 }, { position: 1 }] },
  { kind: "succeeded", files: [{ position: 0 }] },
  { kind: "failed", code: "lost", message: "Lost." },
];

/**
 * A provider that answers when the simulation says so. A connection may break before or after the order was carried
 * out. Unless `submitsOnce`, a repeated order is made again.
 */
export class SimulatedMediaProvider {
  /** How many times each task was carried out, by its id. */
  readonly made = new Map<string, number>();
  /** The first order that it should not have received. */
  fault: BrokenInvariant | null = null;
  readonly refused = new Set<string>();
  readonly #orders = new Map<string, MadeOrder>();
  #questions: Question[] = [];

  constructor(
    private readonly random: SeededRandom,
    readonly submitsOnce: boolean,
  ) {}

  get questions(): number {
    return this.#questions.length;
  }

  /** Answers one of the waiting requests. @returns which one. */
  answerOne(): string {
    const [question] = this.#questions.splice(this.random.between(0, this.#questions.length - 1), 1);
    question?.answer();
    return question?.what ?? "";
  }

  /** Ends one order. */
  endOne(): void {
    const runningOrders = [...this.#orders].filter(([, { state }]) => state.kind === "running");
    const [id] = runningOrders[this.random.between(0, runningOrders.length - 1)] ?? [];
    if (id !== undefined) this.#orders.set(id, { state: this.random.pick(endings) });
  }

  /** Whether the provider has made the task's files. */
  hasSucceeded(taskId: string): boolean {
    return this.#orders.get(taskId)?.state.kind === "succeeded";
  }

  client(): MediaClient {
    const { random } = this;
    const findState = (id: string) => this.#orders.get(id)?.state ?? running;
    return {
      submitsOnce: this.submitsOnce,
      pollMs: 1_000,
      submit: (_order, key) =>
        this.#ask(`submit ${key}`, () => {
          if (random.chance(0.1)) throw new OrderNotSent("refused");
          if (random.chance(0.1)) throw new Error("reset before it arrived");
          const isAsBefore = this.submitsOnce && this.refused.has(key);
          if (isAsBefore || (!this.#orders.has(key) && random.chance(0.1))) {
            this.refused.add(key);
            throw new OrderRefused("policy", "No.");
          }
          this.#carryOut(key);
          if (random.chance(0.2)) throw new Error("reset after it arrived");
          return key;
        }),
      poll: ({ id }) =>
        this.#ask(`poll ${id}`, () => {
          if (random.chance(0.2)) throw new Error("reset");
          return findState(id);
        }),
      cancel: ({ id }) =>
        this.#ask(`cancel ${id}`, () => {
          if (random.chance(0.2)) throw new Error("reset");
          if (findState(id).kind === "running") this.#orders.set(id, { state: { kind: "canceled" } });
        }),
      open: ({ id }, { position }) =>
        this.#ask(`open ${id} ${position}`, () => {
          if (random.chance(0.2)) throw new Error("reset");
          return { mimeType: "image/png", bytes: new Blob(["bytes"]).stream() };
        }),
    };
  }

  #carryOut(key: string): void {
    const times = (this.made.get(key) ?? 0) + (this.submitsOnce && this.#orders.has(key) ? 0 : 1);
    this.made.set(key, times);
    if (times > 1) this.#fault(`${key} was made ${times} times`);
    if (this.refused.has(key)) this.#fault(`${key} was refused, and sent again`);
    if (!this.#orders.has(key)) this.#orders.set(key, { state: running });
  }

  #fault(what: string): void {
    this.fault ??= new BrokenInvariant("sent once", what);
  }

  #ask<Result>(what: string, act: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      };
      this.#questions.push({ what, answer });
    });
  }
}
