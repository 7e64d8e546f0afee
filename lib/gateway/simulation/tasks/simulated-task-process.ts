import { DAY_MS } from "@/lib/contract/durations";
import { deriveId } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import type { Write } from "../../changes/change";
import type { ClockAndRandom } from "../../clock";
import { LedgerBatch, OwnerLease } from "../../ledger/writer/ledger-batch.sql";
import { ProviderLinks } from "../../providers/provider-link";
import { type StoredOrder, serializeOrder } from "../../tasks/orders";
import { createTaskClaims } from "../../tasks/task-claims.sql";
import { TaskWorker } from "../../tasks/task-worker";
import { ProcessTimers } from "../batches/simulated-batch-process";
import { SimulatedFunds } from "../simulated-funds";
import type { SimulatedMediaProvider } from "./simulated-media-provider";
import type { SimulatedTaskStore } from "./simulated-task-store";

const PRICE = toNano(1_000_000n);
const unit = { unit: "image", amount: PRICE };
const price = {
  inputPer1m: toNano(0n),
  outputPer1m: toNano(0n),
  rate: toNano(1_000_000_000n),
  perUnit: unit,
};
const never = new Promise<never>(() => {});

interface Machine {
  readonly owner: string;
  readonly store: SimulatedTaskStore;
  readonly provider: SimulatedMediaProvider;
  readonly runtime: ClockAndRandom;
  /** The files on disk, as `task/position`. */
  readonly files: Set<string>;
}

/**
 * The parts of a gateway that tasks need: the ledger's queue and the worker. After a crash none of its work continues.
 */
export class SimulatedTaskProcess {
  readonly funds: SimulatedFunds;
  readonly #worker: TaskWorker;
  readonly #timers: ProcessTimers;
  #isDead = false;

  constructor(private readonly machine: Machine) {
    const { owner, store, provider, runtime, files } = machine;
    const lease = new OwnerLease(store.ledger, owner, runtime.clock);
    const batch = new LedgerBatch(store.ledger, lease, { sealTask: store.seal });
    this.funds = new SimulatedFunds(batch, runtime.clock.nowMs);
    this.funds.keepLease();
    batch.apply([{ kind: "take over", owners: "expired", nowMs: runtime.clock.nowMs() }]);
    const write: Write = (work) => (this.#isDead ? never : store.write(work));
    this.#timers = new ProcessTimers(runtime.clock.nowMs);
    this.#worker = new TaskWorker({
      claims: createTaskClaims(store.reads, write, { owner, secret: store.key }),
      funds: this.funds,
      admissions: { settleHeld: () => {}, releaseHeld: () => {} },
      runtime,
      timers: this.#timers,
      steadyClock: { mayBeFarOff: () => false },
      catalogue: { find: () => ({ routes: [{ provider: "p", model: "m" }] }) as never, list: () => [] },
      directory: { find: () => undefined },
      links: new ProviderLinks(runtime.clock),
      findMediaClient: () => this.#ofTheLiving(provider.client()),
      inputFiles: { open: async () => null, delete: async () => {} },
      outputFiles: {
        write: async (id, position) => files.add(`${id}/${position}`).size,
        open: async () => null,
        delete: async (id) => {
          for (const file of files) if (file.startsWith(`${id}/`)) files.delete(file);
        },
      },
      logFault: () => {},
    });
  }

  /** Creates a task with its hold. */
  create(name: string): void {
    const { runtime, owner } = this.machine;
    const nowMs = runtime.clock.nowMs();
    const requestId = `req_${name}`;
    const order: Omit<StoredOrder, "inputs"> = {
      family: "image",
      prompt: name,
      count: 1,
      size: null,
      seconds: null,
      quality: null,
      extraFields: {},
    };
    const whose = {
      projectId: "proj_a",
      keyId: owner,
      model: "painter",
      promptTokens: 0,
      maxCompletionTokens: 0,
    };
    const hold = { id: deriveId("hold", requestId), requestId, amount: PRICE, ...whose, price };
    const times = { createdAtMs: nowMs, deadlineAtMs: nowMs + DAY_MS };
    const taskId = `task_${name}`;
    const task = {
      id: taskId,
      family: "image",
      input: serializeOrder(order),
      settings: "null",
      reply: "{}",
    } as const;
    const callbackUrl = "https://receiver.example/done";
    this.funds
      .placeHold(
        { ...hold, ...times, units: 1_000_000, taskId },
        { ...task, callbackUrl, receiptDetails: null },
      )
      .catch(() => {});
  }

  work(): void {
    if (!this.#isDead) this.#timers.runDue();
    void this.#worker.workOnDue();
  }

  crash(): void {
    this.#isDead = true;
  }

  /** Requests of a dead process are not sent, and answers don't reach it. */
  #ofTheLiving<Client extends object>(client: Client): Client {
    const ifAlive = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      if (this.#isDead) return never;
      const outcome = await act().then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      return this.#isDead ? never : outcome();
    };
    return new Proxy(client, {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === "function" ? (...args: unknown[]) => ifAlive(() => value(...args)) : value;
      },
    });
  }
}
