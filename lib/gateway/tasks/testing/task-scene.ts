import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano, ZERO } from "@/lib/money/amount";
import { admitAndHold } from "../../calls/holds/admit-and-hold";
import { HeldCalls } from "../../calls/holds/held-call";
import type { Timers } from "../../clock";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import type { FileStorage } from "../../files/file-storage";
import { openSqliteFunds } from "../../ledger/funds.sql";
import { createLedgerReader } from "../../ledger/reads/ledger-reader.sql";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import type { MadeFile, MediaClient, OpenedFile, RemoteFile, RemoteTask } from "../../providers/media-client";
import { ProviderLinks } from "../../providers/provider-link";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { type StoredOrder, serializeOrder } from "../orders";
import { createTaskClaims, type TaskClaims } from "../task-claims.sql";
import { createTaskStore } from "../task-store.sql";
import { TaskWorker, type WorkerContext } from "../task-worker";

const unit = { unit: "image", amount: toNano(1_000_000n) };
const price = { inputPer1m: ZERO, outputPer1m: ZERO, rate: toNano(1_000_000_000n), perUnit: unit };
const order: Omit<StoredOrder, "inputs"> = {
  family: "image",
  prompt: "x",
  count: 1,
  size: null,
  seconds: null,
  quality: null,
  extraFields: {},
};

/** A provider that carries out an order each time it is sent. */
class ForgetfulProvider implements MediaClient {
  submitsOnce = false;
  readonly pollMs = 1_000;
  readonly made: string[] = [];
  onSubmit: (signal: AbortSignal) => Promise<void> | void = () => {};
  state: Awaited<ReturnType<MediaClient["poll"]>> = { kind: "succeeded", files: [{ position: 0 }] };

  onCancel: () => void = () => {};
  /** Files that come with the reply to an order. */
  files: readonly MadeFile[] | null = null;

  async submit(_: unknown, key: string, signal: AbortSignal) {
    this.made.push(key);
    await this.onSubmit(signal);
    return this.files ?? `remote-${this.made.length}`;
  }
  async poll() {
    return this.state;
  }
  async cancel() {
    this.onCancel();
  }
  async open(_remote: RemoteTask, _file: RemoteFile, _signal: AbortSignal): Promise<OpenedFile> {
    return { mimeType: "image/png", bytes: new Blob(["bytes"]).stream() };
  }
}

const request = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "painter",
  limits: builtInRateLimits,
  price,
  promptTokens: 0,
  maxOutputTokens: 0,
  expectedOutputTokens: 0,
  choices: 1,
  units: 1_000_000,
};

const task = {
  id: "task_1",
  family: "image",
  input: serializeOrder(order),
  settings: "null",
  callbackUrl: null,
  receiptDetails: null,
  reply: "{}",
} as const;

async function openMoney(
  temporary: Awaited<ReturnType<typeof openTemporarySqlite>>,
  { clock }: ReturnType<typeof simulatedRuntime>,
) {
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
  const payment = { id: "txn_p", amount: toNano(10_000_000n), reference: null, createdAtMs: 0 };
  await funds.recordPayment(payment, null, testRequest.event);
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: 0 });
  return { funds, admissions: new EmbeddedAdmissions(funds, spend, { clock, currency: "USD" }) };
}

/** Files in memory. */
function keepFiles(deletedIds: string[]) {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const outputFiles: FileStorage = {
    async write(id, position, pieces) {
      const bytes = new Uint8Array(Buffer.concat(await Array.fromAsync(pieces)));
      files.set(`${id}/${position}`, bytes);
      return bytes.byteLength;
    },
    async open(id, position) {
      const bytes = files.get(`${id}/${position}`);
      if (!bytes) return null;
      return {
        bytes: bytes.byteLength,
        read: (start, end) => new Blob([bytes.subarray(start, end)]).stream(),
      };
    },
    async delete(id) {
      deletedIds.push(id);
      for (const file of files.keys()) if (file.startsWith(`${id}/`)) files.delete(file);
    },
  };
  return { outputFiles, files };
}

/** A task that is held and ordered, with workers of any number of processes. */
export async function openTaskScene() {
  const temporary = await openTemporarySqlite();
  const runtime = simulatedRuntime();
  const { funds, admissions } = await openMoney(temporary, runtime);
  const provider = new ForgetfulProvider();
  const providers = new Map([["p", provider]]);
  const routes = [{ provider: "p", model: "m" }];
  const deletedFiles: string[] = [];
  const { outputFiles, files } = keepFiles(deletedFiles);
  const timers: Pick<Timers, "wait"> = { wait: async (ms) => runtime.pass(ms) };
  const tasks = createTaskStore(temporary.reads);
  const createWorker = (
    owner: string,
    replace: (claims: TaskClaims) => TaskClaims = (claims) => claims,
    replacedFunds: WorkerContext["funds"] = funds,
  ) =>
    new TaskWorker({
      claims: replace(
        createTaskClaims(temporary.reads, temporary.run, { owner, secret: new Uint8Array(32) }),
      ),
      funds: replacedFunds,
      admissions,
      runtime,
      catalogue: { find: () => ({ routes }) as never, list: () => [] },
      directory: { find: () => undefined },
      links: new ProviderLinks(runtime.clock),
      findMediaClient: (id) => providers.get(id) ?? null,
      inputFiles: { open: async () => null, delete: async () => {} },
      timers,
      steadyClock: { mayBeFarOff: () => false },
      outputFiles,
      logFault: () => {},
    });
  const ledger = { admissions, funds, runtime, heldCalls: new HeldCalls() };
  const call = { requestId: "req_1", stream: false, startedAtMs: 0, recheck: () => request };
  await admitAndHold(ledger, request, { ...call, task });
  const work = async (worker: TaskWorker) => {
    await worker.workOnDue();
    await worker.waitUntilIdle();
  };
  return {
    provider,
    /** Routes the model to another provider, and deletes the former one. */
    replaceProvider: () => {
      const replacement = new ForgetfulProvider();
      providers.set("other", replacement);
      routes.splice(0, 1, { provider: "other", model: "m" });
      providers.delete("p");
      return replacement;
    },
    /** The bytes of the files on disk, as `task/position`. */
    files,
    /** The tasks whose files were deleted. */
    deletedFiles,
    cancel: () =>
      temporary.run((transaction) => tasks.requestCancel(transaction, "task_1", runtime.clock.nowMs())),
    runtime,
    timers,
    funds,
    createWorker,
    work,
    find: () => tasks.find("task_1"),
    balance: () => createLedgerReader(temporary.reads).balance(),
    async [Symbol.asyncDispose]() {
      await funds.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
