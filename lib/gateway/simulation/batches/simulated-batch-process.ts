import { MAX_REQUEST_MS } from "@/lib/contract/durations";
import { BatchRunner } from "../../batches/batch-runner";
import { type BatchClaims, createBatchClaims, createBatchStore } from "../../batches/batch-store.sql";
import type { OnceContext } from "../../calls/answer-once";
import type { CompletionContext } from "../../calls/call";
import { HeldCalls } from "../../calls/holds/held-call";
import { ReplyReader } from "../../calls/replies/reply-reader";
import type { Write } from "../../changes/change";
import type { ClockAndRandom, Timers } from "../../clock";
import { createFileStore } from "../../files/file-store.sql";
import type { ServerReply } from "../../http/outbound/server-reply";
import { IdempotencyLocks } from "../../idempotency/idempotency";
import { createIdempotentCharges } from "../../idempotency/idempotent-replies.sql";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { LedgerBatch, OwnerLease } from "../../ledger/writer/ledger-batch.sql";
import { sandboxProvider } from "../../models/providers/provider-directory";
import { CallDeadline } from "../../providers/call-deadlines";
import type { ProviderClient } from "../../providers/provider-client";
import { ProviderLinks } from "../../providers/provider-link";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import type { SeededRandom } from "../seeded-random";
import { SimulatedFunds } from "../simulated-funds";
import type { SimulatedTaskStore } from "../tasks/simulated-task-store";
import type { LineOracle } from "./batch-oracle";
import { answerCalls, caller, createLimits, model } from "./line-calls";
import { EffectQueue, type SimulatedDisk } from "./simulated-disk";

/** What administrators change while batches run. */
export interface Settings {
  isKeyActive: boolean;
  isModelKnown: boolean;
  readonly requestsPerMinute: number;
}

interface Machine {
  readonly owner: string;
  /** Whether no other process runs, so that this one takes over at once what others left. */
  readonly isAlone: boolean;
  readonly store: SimulatedTaskStore;
  readonly provider: SimulatedChatProvider;
  readonly disk: SimulatedDisk;
  readonly runtime: ClockAndRandom;
  readonly random: SeededRandom;
  readonly settings: Settings;
  readonly oracle: LineOracle;
}

const claimRuntime = ["claim", "renew", "save", "notePace", "end"] as const;

/** The parts of a gateway that batches need. After a crash none of its work continues. */
export class SimulatedBatchProcess {
  readonly funds: SimulatedFunds;
  readonly effects = new EffectQueue();
  readonly timers: ProcessTimers;
  readonly runner: BatchRunner;
  isPaused = false;
  isClosing = false;
  /** Waits for the claims that it releases at its start. */
  readonly started: Promise<void>;
  readonly #heldCalls = new HeldCalls();
  #isDead = false;

  constructor(private readonly machine: Machine) {
    const { owner, isAlone, store, disk, runtime, random } = machine;
    const lease = new OwnerLease(store.ledger, owner, runtime.clock);
    const ledger = new LedgerBatch(store.ledger, lease);
    this.funds = new SimulatedFunds(ledger, runtime.clock.nowMs);
    this.funds.keepLease();
    const owners = isAlone ? "all but mine" : "expired";
    ledger.apply([{ kind: "take over", owners, nowMs: runtime.clock.nowMs() }]);
    this.funds.refresh();
    this.timers = new ProcessTimers(runtime.clock.nowMs);
    const files = createFileStore(store.reads);
    const write: Write = (work) => store.write(work);
    const claims = createBatchClaims(store.reads, write, { owner, files });
    this.started = isAlone ? claims.releaseOthers() : Promise.resolve();
    this.runner = new BatchRunner({
      ownsLease: () => true,
      // All processes of the simulation write to one disk.
      isAlone: true,
      publishResult: async () => {},
      ...this.#lineContext(),
      claims: this.#delayed(claims),
      batches: createBatchStore(store.reads),
      storedFiles: { open: (id) => disk.open(id) },
      resultFiles: disk.resultFiles(this.effects, random),
      filesMs: null,
      runtime,
      timers: this.timers,
      steadyClock: { mayBeFarOff: () => false },
      logFault: () => {},
    });
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.isPaused;
  }

  /** Runs what is due after time has passed. */
  wake(): void {
    if (!this.isRunning) return;
    // After a pause its writer may get what was queued before, or renew its lease, first.
    if (this.funds.hasQueue && this.machine.random.chance(0.5)) this.funds.commit();
    this.funds.keepLease();
    this.timers.runDue();
    const { provider } = this.machine;
    // A call's provider deadline passes before its hold's deadline.
    if (!provider.timeOut(this)) this.#heldCalls.settleOverdue();
  }

  write(): void {
    if (this.funds.hasAnswer) this.funds.answer();
    else if (this.funds.hasQueue) this.funds.commit();
  }

  takeOver(): void {
    this.funds.takeOver("expired", this.machine.runtime.clock.nowMs()).catch(() => {});
  }

  close(): void {
    this.isClosing = true;
    void this.runner.close();
  }

  crash(): void {
    this.#isDead = true;
    this.effects.lose();
  }

  #lineContext() {
    const { runtime, settings, oracle, store } = this.machine;
    const limits = createLimits(settings.requestsPerMinute);
    const spend = new SpendTracker({ limits: [], spent: [], nowMs: runtime.clock.nowMs() });
    const admissions = new EmbeddedAdmissions(this.funds, spend, { clock: runtime.clock, currency: "USD" });
    const catalogue = { find: () => (settings.isModelKnown ? model : undefined), list: () => [] };
    const rateLimitCache = { effectiveLimits: () => limits };
    const context: OnceContext & CompletionContext = {
      admissions,
      funds: this.funds,
      runtime,
      heldCalls: this.#heldCalls,
      // The sandbox's prompts are exact.
      promptCounter: { count: async (_model, _request, coarse) => coarse, learn: () => {} },
      catalogue,
      rateLimitCache,
      modelPermissionCache: { allows: () => true },
      projectCache: { find: () => undefined },
      directory: { find: () => sandboxProvider },
      links: this.#links(),
      replyReader: new ReplyReader(() => {}),
      logFault: () => {},
      consoleUrl: "http://console.test",
      idempotencyLocks: new IdempotencyLocks(),
      idempotentCharges: createIdempotentCharges(store.reads, store.key),
    };
    return {
      admissions,
      catalogue,
      rateLimitCache,
      idempotentCharges: context.idempotentCharges,
      answerCall: oracle.watch(this, answerCalls(context)),
      findCaller: () => (settings.isKeyActive ? caller : null),
    };
  }

  /** Links to the simulated provider, which also times calls out. */
  #links(): ProviderLinks {
    const links = new ProviderLinks(this.machine.runtime.clock);
    const deadlines = {
      begin: (watcher: CallDeadline["watcher"]) =>
        new CallDeadline(
          watcher,
          Number.POSITIVE_INFINITY,
          Number.POSITIVE_INFINITY,
          Number.POSITIVE_INFINITY,
        ),
      finish() {},
      end() {},
      notePause() {},
      allowedPauseMs: () => 1_000,
    };
    const link = links.to(sandboxProvider);
    Object.assign(link, { deadlines });
    Object.assign(link.keys.first, { client: this.machine.provider.client(this) });
    return links;
  }

  #delayed(claims: BatchClaims): BatchClaims {
    const { oracle } = this.machine;
    const delayed: Partial<Record<keyof BatchClaims, unknown>> = {};
    for (const name of claimRuntime) {
      const effect = claims[name] as (...args: readonly unknown[]) => Promise<unknown>;
      delayed[name] = async (...args: readonly unknown[]) => {
        let notify = () => {};
        const result = await this.effects.ask(
          `${name} ${name === "claim" ? "" : String(args[0])}`,
          async () => {
            const effectResult = await effect(...args);
            notify = oracle.claimEffect(this, name, args, effectResult);
            return effectResult;
          },
        );
        notify();
        return result;
      };
    }
    return { ...claims, ...delayed } as BatchClaims;
  }
}

interface Timer {
  dueMs: number;
  readonly everyMs: number | null;
  run(): void;
}

/** The timers of one process, on the simulation's clock. They run when the simulation says so. */
export class ProcessTimers implements Timers {
  #timers: Timer[] = [];

  constructor(private readonly nowMs: () => number) {}

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer: Timer = { dueMs: this.nowMs() + ms, everyMs: null, run: resolve };
      const end = () => {
        this.#stop(timer);
        resolve();
      };
      if (signal?.aborted) return end();
      signal?.addEventListener("abort", end, { once: true });
      this.#timers.push(timer);
    });
  }

  every(ms: number, act: () => void): () => void {
    const timer: Timer = { dueMs: this.nowMs() + ms, everyMs: ms, run: act };
    this.#timers.push(timer);
    return () => this.#stop(timer);
  }

  /** A timer that was due several times runs once, as after a pause of its process. */
  runDue(): void {
    const dueTimers = this.#timers.filter(({ dueMs }) => dueMs <= this.nowMs());
    this.#timers = this.#timers.filter((timer) => timer.everyMs !== null || !dueTimers.includes(timer));
    for (const timer of dueTimers) {
      if (timer.everyMs !== null) timer.dueMs = this.nowMs() + timer.everyMs;
      timer.run();
    }
  }

  #stop(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
}

interface Question {
  readonly line: string;
  readonly asker: Asker;
  readonly askedAtMs: number;
  answer(): string;
  timeOut(): void;
}

/** The process that asks. A paused one learns nothing, and a dead one never will. */
interface Asker {
  readonly isRunning: boolean;
}

/** A provider of completions that answers when the simulation says so, and fails now and then. */
export class SimulatedChatProvider {
  /** How many times each line was answered with a completion. */
  readonly answered = new Map<string, number>();
  /** How often it fails. */
  faults = 0.15;
  #questions: Question[] = [];

  constructor(
    private readonly random: SeededRandom,
    private readonly nowMs: () => number,
  ) {}

  get answerable(): number {
    return this.#questions.filter(({ asker }) => asker.isRunning).length;
  }

  /** Answers one of the waiting calls. @returns which one, and how. */
  answerOne(): string {
    const ready = this.#questions.filter(({ asker }) => asker.isRunning);
    const question = ready[this.random.between(0, ready.length - 1)];
    if (!question) return "nothing";
    this.#questions = this.#questions.filter((other) => other !== question);
    return `${question.line}: ${question.answer()}`;
  }

  /** Ends the process's calls that have taken longer than a provider may. @returns whether there are any. */
  timeOut(asker: Asker): boolean {
    const isOverdue = (question: Question) =>
      question.asker === asker && question.askedAtMs <= this.nowMs() - MAX_REQUEST_MS;
    const overdue = this.#questions.filter(isOverdue);
    this.#questions = this.#questions.filter((question) => !isOverdue(question));
    for (const question of overdue) question.timeOut();
    return overdue.length > 0;
  }

  client(asker: Asker): ProviderClient {
    return {
      send: ({ body }) => {
        const reply = new Promise<ServerReply>((resolve, reject) => {
          const line = readLine(body as string);
          const answer = () => {
            const lineReply = this.#answer(line);
            if (lineReply === null) reject(new Error("reset"));
            else resolve(lineReply);
            return lineReply === null ? "reset" : String(lineReply.status);
          };
          const timeOut = () => reject(new Error("timed out"));
          this.#questions.push({ line, asker, askedAtMs: this.nowMs(), answer, timeOut });
        });
        return { reply, cancel() {} };
      },
    };
  }

  #answer(line: string): ServerReply | null {
    const { random } = this;
    if (random.chance(this.faults)) {
      const fault = random.pick(["reset", "failure", "overload", "refusal"]);
      if (fault === "reset") return null;
      const error = JSON.stringify({ error: { message: "No.", code: "no" } });
      if (fault === "overload") return createReply(429, error, { "retry-after": "1" });
      return createReply(fault === "failure" ? 500 : 400, error);
    }
    this.answered.set(line, (this.answered.get(line) ?? 0) + 1);
    const usage = { prompt_tokens: random.between(1, 20), completion_tokens: random.between(1, 10) };
    const message = { role: "assistant", content: `answer to ${line}` };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return createReply(200, JSON.stringify({ id: "c", object: "chat.completion", choices, usage }));
  }
}

function readLine(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return messages[0]?.content ?? "";
}

function createReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ServerReply {
  const pieces = [new Uint8Array(Buffer.from(text))];
  const replyHeaders: Readonly<Record<string, string>> = { "content-type": "application/json", ...headers };
  return {
    status,
    contentLength: null,
    header: (name) => replyHeaders[name] ?? null,
    read: () => pieces.shift() ?? null,
  };
}
