import { servesFamily } from "@/lib/contract/calls/provider-protocols";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { CatalogueModel } from "../models/catalogue";
import type { Provider } from "../models/providers/provider-directory";
import type { MediaClient } from "../providers/media-client";
import { providerKinds } from "../providers/provider-kinds";
import {
  findStoredOutputs,
  followOrder,
  OVERDUE,
  readStoredOrder,
  type StoredOrder,
  sendOrder,
} from "./orders";
import type { BusyTasks, ClaimedTask, TaskClaims } from "./task-claims.sql";
import {
  type AdvanceContext,
  endCanceledTask,
  failTask,
  giveUpTask,
  isPastDeadline,
  leaveUnknown,
  PROVIDER_STATE_UNKNOWN,
  pause,
  type StepSignals,
  succeedTask,
} from "./task-work";

/** The steps of tasks that a process takes concurrently. */
const MAX_CONCURRENT = 60;
/** One provider has fewer, so that a provider that doesn't answer leaves slots for the others. */
const MAX_CONCURRENT_PER_PROVIDER = 20;
/** A claim lasts longer, so a step that stands still is stopped before another process takes it over. */
const TIMEOUT_MS = 4 * MINUTE_MS;
const STORE_DOWN_MS = 5_000;
/** Most images take no longer. A file that has not arrived by then is charged without being delivered. */
const LAST_WAIT_MS = MINUTE_MS;

export interface WorkerContext extends AdvanceContext {
  readonly claims: TaskClaims;
  readonly catalogue: AdvanceContext["catalogue"] & {
    list(): readonly Pick<CatalogueModel, "id" | "routes">[];
  };
}

/** A task that is being worked on. */
interface TaskUnderWay {
  readonly work: Promise<void>;
  /** Undefined for a model without a route. */
  readonly provider: string | undefined;
}

/** Works on the tasks that are due, a few at once. */
export class TaskWorker {
  readonly #closing = new AbortController();
  readonly #ending = new AbortController();
  readonly #underWay = new Map<string, TaskUnderWay>();
  #isClaiming = false;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: WorkerContext) {}

  /** Starts work on every due task that is not in progress. Never rejects. */
  async workOnDue(): Promise<void> {
    const { claims, runtime, logFault } = this.context;
    if (this.#isClaiming || this.#closing.signal.aborted) return;
    if (runtime.clock.monotonicMs() < this.#restsUntilMs) return;
    this.#isClaiming = true;
    try {
      while (this.#underWay.size < MAX_CONCURRENT) {
        const { slots, busy } = this.#findFreeSlots();
        const due = await claims.claimDue(runtime.clock.nowMs(), slots, busy);
        if (due.length === 0) return;
        for (const task of due) this.#begin(task);
      }
    } catch (error) {
      this.#restsUntilMs = runtime.clock.monotonicMs() + STORE_DOWN_MS;
      logFault("tasks", error);
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Resolves once no work is in progress. */
  async waitUntilIdle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ work }) => work));
  }

  /** Stops work that continues after the next start, and waits for orders that can't be sent again. */
  async close(): Promise<void> {
    this.#closing.abort();
    const idle = new AbortController();
    const ended = this.context.timers.wait(LAST_WAIT_MS, idle.signal).then(() => this.#ending.abort());
    await this.waitUntilIdle();
    idle.abort();
    await ended;
  }

  /** How many tasks of any provider may be claimed, and which tasks must wait. */
  #findFreeSlots(): { readonly slots: number; readonly busy: BusyTasks } {
    const counts = new Map<string, number>();
    for (const { provider } of this.#underWay.values())
      if (provider !== undefined) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    const providers = [...counts.keys()].filter((id) => (counts.get(id) ?? 0) >= MAX_CONCURRENT_PER_PROVIDER);
    const models = this.context.catalogue
      .list()
      .filter(({ routes: [first] }) => first && providers.includes(first.provider))
      .map(({ id }) => id);
    const free = [...counts.values()]
      .map((count) => MAX_CONCURRENT_PER_PROVIDER - count)
      .filter((slots) => slots > 0);
    return {
      slots: Math.min(MAX_CONCURRENT - this.#underWay.size, MAX_CONCURRENT_PER_PROVIDER, ...free),
      busy: { ids: [...this.#underWay.keys()], providers, models },
    };
  }

  #begin(task: ClaimedTask): void {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error("The step took too long")), TIMEOUT_MS);
    const work = advanceTask(this.context, task, {
      closing: this.#closing.signal,
      signal: AbortSignal.any([this.#closing.signal, timeout.signal]),
      lastSignal: AbortSignal.any([this.#ending.signal, timeout.signal]),
      extend: () => void timer.refresh(),
    })
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.context.logFault(task.id, error);
      })
      .finally(() => {
        clearTimeout(timer);
        this.#underWay.delete(task.id);
      });
    this.#underWay.set(task.id, { work, provider: findRoute(this.context, task)?.provider });
  }
}

const NO_PROVIDER = {
  code: "provider_missing",
  message: "The model leads to no provider any more that makes such files.",
};
const LOST_INPUT = {
  code: "input_lost",
  message:
    "What is to be made can't be read: its pictures are gone, or the gateway runs with another GATEHOUSE_SECRET.",
};

/**
 * Performs the next step of a task that this process has claimed. It may be interrupted at any point: the next run
 * asks for the state or repeats the step. It never sends an order twice to a provider that would carry it out twice.
 */
async function advanceTask(context: AdvanceContext, task: ClaimedTask, signals: StepSignals): Promise<void> {
  const isOverdue = isPastDeadline(context, task);
  const wasSent = task.dispatchedAtMs !== null;
  if (!wasSent && task.isCancelRequested) return endCanceledTask(context, task);
  const storedOrder = await readStoredOrder(context, task);
  if (!wasSent) {
    if (storedOrder === null) return failTask(context, task, LOST_INPUT);
    return sendUnsent(context, task, storedOrder, { ...signals, isOverdue });
  }
  const route = findRoute(context, task);
  const client = route ? findClient(context, route.provider, storedOrder) : null;
  if (!client || !route || storedOrder === null)
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  const order = { ...storedOrder, model: route.model };
  const work = { context, task, order, client, ...signals };
  if (task.remoteId !== null) return followOrder(work, { id: task.remoteId, order }, isOverdue);
  if (isOverdue || !client.submitsOnce) {
    const outputs = await findStoredOutputs(work);
    if (outputs) return succeedTask(context, task, outputs);
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : leaveUnknown(work);
  }
  return sendOrder([{ route, work }]);
}

/** Sends an order to the first of its model's providers that takes it. */
async function sendUnsent(
  context: AdvanceContext,
  task: ClaimedTask,
  storedOrder: StoredOrder,
  { isOverdue, ...signals }: StepSignals & { readonly isOverdue: boolean },
): Promise<void> {
  const routes = context.catalogue.find(task.model)?.routes ?? [];
  const routed = routes.flatMap((route) => {
    const isFit = mayTake(context, route.provider, storedOrder);
    const client = isFit ? findClient(context, route.provider, storedOrder) : null;
    const order = { ...storedOrder, model: route.model };
    return client ? [{ route, work: { context, task, order, client, ...signals } }] : [];
  });
  if (routed.length === 0) return failTask(context, task, NO_PROVIDER);
  return isOverdue ? failTask(context, task, OVERDUE) : sendOrder(routed);
}

/** Whether a provider makes such files, and can be sent all that the order says. */
function mayTake({ directory, findMediaClient }: AdvanceContext, id: string, order: StoredOrder): boolean {
  if (findMediaClient) return true;
  const provider = directory.find(id);
  if (!provider || !servesFamily(provider.kind, provider.taskApi?.makes, order.family)) return false;
  return !providerKinds[provider.kind].files?.findOrderFault?.(provider, order);
}

/** Returns the route to which a task was sent, or else will be. */
function findRoute(
  { catalogue }: Pick<AdvanceContext, "catalogue">,
  { route, model }: Pick<ClaimedTask, "route" | "model">,
) {
  return route ?? catalogue.find(model)?.routes[0];
}

/** The clients of each gateway's providers, by its effects, since a client reads the gateway's clock. */
const mediaClients = new WeakMap<AdvanceContext["runtime"], WeakMap<Provider, MediaClient>>();

function findClient(
  { directory, runtime, findMediaClient }: AdvanceContext,
  id: string,
  order: StoredOrder | null,
): MediaClient | null {
  if (findMediaClient) return findMediaClient(id);
  const provider = directory.find(id);
  const files = provider && providerKinds[provider.kind].files;
  if (!files || (order?.inputs && !files.editsImages)) return null;
  const clients = mediaClients.get(runtime) ?? new WeakMap<Provider, MediaClient>();
  mediaClients.set(runtime, clients);
  const client = clients.get(provider) ?? files.createClient(provider, runtime.clock);
  clients.set(provider, client);
  return client;
}
