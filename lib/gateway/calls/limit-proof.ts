import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  type Measure,
  mapLimits,
  type RateLimitField,
  type RateLimitValues,
  rateLimitRows,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { newId } from "@/lib/contract/ids";
import { proofBounds } from "@/lib/contract/operations/models/rate-limit-proofs";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../changes/change";
import { parseJsonObject } from "../http/json";
import type { KeyCache } from "../keys/key-cache";
import type { KeyCreator, ProjectKeyRecord } from "../keys/key-records";
import type { KeyStore } from "../keys/key-store.sql";
import { newProjectKey, unlimited } from "../keys/project-keys";
import type { LedgerReader } from "../ledger/reads/ledger-reader.sql";
import type { CatalogueModel } from "../models/catalogue";
import { SANDBOX } from "../models/providers/provider-directory";
import type { ProjectStore } from "../projects/project-store.sql";
import { newProject } from "../projects/projects";
import { conflict, invalid, Refusal } from "../refusal";
import { type CompletionContext, complete } from "./call";
import { PreparedChatRequest, parseChatRequest } from "./requests/chat-request";
import { readClient } from "./requests/incoming-call";
import type { Counting, RequestEstimate } from "./requests/prepared-request";

/** The model that answers a proof's calls: it echoes, and a word is a token. */
export const PROVING_MODEL = "sandbox-echo";
const NAME = "Proof of a rate limit";
/** Real calls go on meanwhile. */
const AT_ONCE = 32;
/** Other checks that refuse so often, such as the balance, leave nothing to be proved. */
const MANY = 20;
/** The key of a gateway that died during a proof expires. */
const KEY_SECONDS = 2 * proofBounds.seconds;
const LIST_RATE = toNano(1_000_000_000n);
const FREE = { inputPer1m: ZERO, outputPer1m: ZERO };
const CLIENT = readClient(new Headers({ "user-agent": "gatehouse-proof" }), "chat/completions", null);

export interface LimitProofContext extends CompletionContext, ChangeContext {
  readonly projects: Pick<ProjectStore, "insert">;
  readonly keys: Pick<KeyStore, "insertProjectKey" | "revokeProjectKey">;
  readonly keyCache: Pick<KeyCache, "list">;
  readonly ledger: Pick<LedgerReader, "ofProject">;
}

/** The calls of a proof so far. */
export interface ProofCounts {
  admitted: number;
  refused: number;
  /** What the admitted ones count as in the limit. */
  amount: number;
  readonly refusedBy: Map<string, { calls: number; readonly firstRequestId: string }>;
}

export interface LimitProof extends ProofCounts {
  readonly tookMs: number;
  readonly ledger: { readonly held: Nano; readonly holds: number; readonly charged: Nano };
  readonly key: ProjectKeyRecord;
}

export const newCounts = (): ProofCounts => ({ admitted: 0, refused: 0, amount: 0, refusedBy: new Map() });

/**
 * Sends calls of the sandbox against limits, by the way of every call: admitted, held for, answered, charged (nothing)
 * and logged. They count in an archived project of their own, so nobody's calls are refused because of them, and end
 * within the shortest window of a limit.
 * @param counts is kept up to date. @throws Refusal 409 while another proof runs, in any gateway.
 */
export async function proveLimit(
  context: LimitProofContext,
  request: ChangeRequest,
  {
    plan,
    creator,
    counts,
    signal,
  }: { plan: ProofPlan; creator: KeyCreator; counts: ProofCounts; signal: AbortSignal },
): Promise<LimitProof> {
  const { clock } = context.runtime;
  const model = findProvingModel(context);
  const sinceMs = clock.nowMs();
  const key = await createScratchKey(context, request, creator);
  const startedAtMs = clock.monotonicMs();
  const isOver = () => signal.aborted || clock.monotonicMs() - startedAtMs > proofBounds.seconds * 1_000;
  const calls = new ProofCalls(context, { plan, model, key, counts });
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, () => calls.sendUntil(isOver)));
  } finally {
    await systemChange(context, "limit proof", (transaction) =>
      context.keys.revokeProjectKey(transaction, key.id, clock.nowMs()),
    );
  }
  const tookMs = Math.round(clock.monotonicMs() - startedAtMs);
  const ledger = await context.ledger.ofProject(key.projectId, sinceMs);
  return { ...counts, tookMs, ledger, key };
}

/** The sandbox's model, without a price and by its own route, whatever was changed of it. @throws Refusal 409. */
function findProvingModel({ catalogue }: LimitProofContext): CatalogueModel {
  const model = catalogue.find(PROVING_MODEL);
  if (!model) throw conflict("field", `Limits are proved with ${PROVING_MODEL}, which isn't there.`);
  const free = { price: FREE, rate: LIST_RATE, batchRate: null, unitPrice: null, audioPrice: null };
  return { ...model, ...free, routes: [{ provider: SANDBOX, model: PROVING_MODEL }] };
}

/** Creates a project that was never active, and a key in it whose value nobody has. One proof has them at a time. */
function createScratchKey(
  context: LimitProofContext,
  request: ChangeRequest,
  creator: KeyCreator,
): Promise<ProjectKeyRecord> {
  const { runtime, keyCache, projects, keys } = context;
  return change(context, request, async (transaction) => {
    const nowMs = runtime.clock.nowMs();
    const isUnderWay = keyCache
      .list()
      .some(({ key }) => key.name === NAME && key.createdAtMs > nowMs - KEY_SECONDS * 1_000);
    if (isUnderWay)
      throw conflict(
        "rate_limit_id",
        "Another limit is being proved. Wait until it is done, a minute at most.",
      );
    const project = { ...newProject(runtime, { name: NAME }), archivedAtMs: nowMs };
    await projects.insert(transaction, project);
    const draft = { projectId: project.id, serviceAccount: null, name: NAME, scope: unlimited, creator };
    const { key } = newProjectKey(runtime, { ...draft, lifetimeSeconds: KEY_SECONDS });
    await keys.insertProjectKey(transaction, key);
    return key;
  });
}

interface Proof {
  readonly plan: ProofPlan;
  readonly model: CatalogueModel;
  readonly key: ProjectKeyRecord;
  readonly counts: ProofCounts;
}

class ProofCalls {
  #sent = 0;
  #refusedByOthers = 0;
  readonly #context: CompletionContext;
  readonly #request: ReturnType<typeof parseChatRequest>;
  readonly #neverLeft = new AbortController().signal;

  constructor(
    context: LimitProofContext,
    private readonly proof: Proof,
  ) {
    const { plan, model } = proof;
    const effectiveLimits = (): RateLimitValues => plan.limits;
    this.#context = {
      ...context,
      catalogue: { find: () => model, list: () => [model] },
      rateLimitCache: { effectiveLimits },
      modelPermissionCache: { allows: () => true },
    };
    const content = Array.from({ length: plan.words }, () => "word").join(" ");
    const body = { model: PROVING_MODEL, max_tokens: 1, messages: [{ role: "user", content }] };
    const text = Buffer.from(JSON.stringify(body));
    this.#request = parseChatRequest(parseJsonObject(text, { entries: 100 }));
  }

  async sendUntil(isOver: () => boolean): Promise<void> {
    while (this.#sent < this.proof.plan.calls && this.#refusedByOthers < MANY && !isOver()) {
      this.#sent++;
      await this.#sendOne();
      // Refusals wait for nothing, and real calls must not wait for them.
      await new Promise(setImmediate);
    }
  }

  async #sendOne(): Promise<void> {
    const { plan, key, counts } = this.proof;
    const { clock, random } = this.#context.runtime;
    const requestId = newId("req", clock.nowMs(), random);
    try {
      const response = await complete(this.#context, {
        requestContext: { requestId, clientSignal: this.#neverLeft },
        caller: { id: key.id, keyId: key.id, permissionsIn: () => new Set() },
        client: CLIENT,
        projectId: key.projectId,
        refuseEndedAccess() {},
        idempotency: null,
        request: new ProvingRequest(this.#request, plan),
      });
      await response.arrayBuffer();
      counts.admitted++;
      counts.amount += plan.perCall;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#noteRefused(error.code, requestId);
    }
  }

  #noteRefused(code: string, requestId: string): void {
    const { counts, plan } = this.proof;
    const before = counts.refusedBy.get(code) ?? { calls: 0, firstRequestId: requestId };
    counts.refusedBy.set(code, { ...before, calls: before.calls + 1 });
    counts.refused++;
    if (code !== plan.field) this.#refusedByOthers++;
  }
}

/** A call of a few words that counts as much in its limit as the plan says. */
class ProvingRequest extends PreparedChatRequest {
  readonly #carried: Partial<Record<Measure, number>>;

  constructor(request: ReturnType<typeof parseChatRequest>, { field, perCall }: ProofPlan) {
    super(request);
    const { counts } = rateLimitTable[field];
    // Its words are its tokens, and each call is a request.
    this.#carried = counts === "tokens" || counts === "requests" ? {} : { [counts]: perCall };
  }

  override estimate(counting: Counting): RequestEstimate {
    return { ...super.estimate(counting), ...this.#carried };
  }
}

/** The calls that prove a limit. */
export interface ProofPlan {
  readonly field: RateLimitField;
  readonly limit: number;
  /** The limits of the calls: those that have no effect on the model's family allow anything. */
  readonly limits: RateLimitValues;
  /** How many calls are sent at most. */
  readonly calls: number;
  /** What each counts as in the limit. */
  readonly perCall: number;
  /** The words of its prompt, each of which the sandbox counts as a token. */
  readonly words: number;
}

/** Calls of one token of prompt and one of output. */
const LEAST_TOKENS = 2;
const MOST_TOKENS = 10_000;
/** So many calls are enough where one may count as much as is needed. */
const FEW_CALLS = 400;
const ANY = Number.MAX_SAFE_INTEGER;

/** @throws Refusal 400 for a limit that calls of the sandbox can't reach, with the reason. */
export function planProof(field: RateLimitField, saved: RateLimitValues, family: ModelFamily): ProofPlan {
  const { counts, families } = rateLimitTable[field];
  if (!families.some((one) => one === family))
    throw invalid(
      "field",
      `${field} has no effect on models of the family ${family}, so there is nothing to prove.`,
    );
  const limit = saved[field];
  if (limit === null)
    throw invalid(
      "field",
      `${field} is no limit for this project and model: nothing is refused, so there is nothing to prove.`,
    );
  const limits = mapLimits((row) =>
    row.families.some((one) => one === family) ? saved[row.field] : row.removable ? null : ANY,
  ) as RateLimitValues;
  const perCall =
    counts === "requests" ? 1 : findPerCall(limit, limits, counts === "tokens" ? LEAST_TOKENS : 1);
  const admitted = Math.floor(limit / perCall);
  const calls = admitted + countBeyond(admitted);
  const isTooMuch = counts === "tokens" && perCall > MOST_TOKENS;
  if (calls > proofBounds.calls || isTooMuch) throw tooHigh(field, limit);
  const plan = { field, limit, limits, calls, perCall };
  refuseIfOthersRefuseFirst(plan, admitted + 1);
  return { ...plan, words: counts === "tokens" ? perCall - 1 : 1 };
}

function tooHigh(field: RateLimitField, limit: number): Refusal {
  const message = `${field} is ${limit}: too high to prove with ${proofBounds.calls} calls of the sandbox. Lower limits can be proved.`;
  return invalid("field", message);
}

/** As much as lets the limits on requests pass all calls. */
function findPerCall(limit: number, limits: RateLimitValues, least: number): number {
  const room = rateLimitRows.flatMap((row) => (row.counts === "requests" ? (limits[row.field] ?? []) : []));
  const calls = Math.max(1, Math.min(FEW_CALLS, ...room.map((requests) => Math.floor(requests * 0.9) - 1)));
  return Math.max(least, Math.ceil(limit / calls));
}

/** How many calls are sent beyond those that a limit admits. */
function countBeyond(admitted: number): number {
  return Math.min(40, Math.max(5, Math.ceil(admitted / 16)));
}

function refuseIfOthersRefuseFirst(
  { field, limits, perCall }: Pick<ProofPlan, "field" | "limits" | "perCall">,
  calls: number,
): void {
  const counted = rateLimitTable[field].counts;
  for (const { field: other, counts } of rateLimitRows) {
    const most = limits[other];
    if (other === field || most === null) continue;
    const each =
      counts === counted ? perCall : counts === "requests" ? 1 : counts === "tokens" ? LEAST_TOKENS : 0;
    if (calls * each <= most) continue;
    const message = `${other} is ${most} and refuses calls before ${field} can, so only ${other} can be proved.`;
    throw invalid("field", message);
  }
}
