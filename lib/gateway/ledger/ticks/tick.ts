import type { Nano } from "@/lib/money/amount";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import type { CallCheckpoint, HoldDraft } from "../funds";
import {
  hashEntry,
  type LedgerRow,
  toChainedValues,
  writeAudioPrice,
  writePriceClasses,
} from "../ledger-row";
import { KINDS, NO_LIMIT, OUTCOMES } from "./tick-procedure.sql";

/** The number of rolling limits. Amounts of all of them are in the order of the table of limits. */
const LIMITS = 6;

/** The project and model whose windows an operation counts in, with the limits as this process knows them. */
export interface TickPair {
  readonly projectId: string;
  readonly model: string;
  readonly max: readonly (number | null)[];
}

/** A call to admit. Without a hold, it counts in the limits alone. */
export interface Ask {
  /** The number of the last change that its limits were read after. */
  readonly feed: number;
  readonly pair: TickPair;
  /** The spend limits of the organization and of the project. */
  readonly spendLimits: readonly [Nano | null, Nano | null];
  readonly amount: Nano;
  readonly needs: readonly number[];
  readonly isPreview?: boolean;
  readonly hold?: HoldDraft;
  readonly task?: TaskRow | undefined;
  /** The reply that is stored with a task's key. */
  readonly taskReply?: string | null;
}

/** The slots in which a call was counted. */
export interface TakenSlots {
  readonly minute: number;
  readonly day: number;
}

/** The end of a hold. Without a hold, it gives back what was counted. */
export interface End {
  /** Empty where there is no hold. */
  readonly holdId: string;
  readonly projectId: string;
  readonly pair: TickPair | null;
  readonly charge: bigint;
  /** Tokens beyond the estimate. */
  readonly late: number;
  readonly give: readonly number[] | null;
  readonly slots: TakenSlots | null;
  readonly entries: readonly { readonly row: LedgerRow; readonly trace: string | null }[];
  readonly uncharged: Readonly<Record<string, unknown>> | null;
  readonly reply: {
    readonly idempotency: Idempotency;
    readonly requestId: string;
    readonly text: string | null;
  } | null;
  readonly taskEnd: Readonly<Record<string, unknown>> | null;
}

/** A row of `tasks`, sealed. */
export type TaskRow = Readonly<Record<string, unknown>>;

export interface TickReply {
  /** By PostgreSQL, in milliseconds: never backwards. */
  readonly now: number;
  readonly minute: number;
  readonly day: number;
  readonly outcomes: readonly number[];
  /** By the number of a refused or previewed hold, from 1. */
  readonly facts: Readonly<Record<string, AskFacts>>;
  /** By the number of a pair that refused, from 1. */
  readonly slots: Readonly<Record<string, PairSlots>>;
  readonly ended: readonly number[];
  readonly used: readonly number[];
  readonly posted: string;
  readonly held: string;
  readonly spent: readonly string[];
  readonly spend_held: readonly string[];
  readonly feed: number | null;
  readonly may_hold: boolean;
}

/** The figures behind a decision. Amounts of money are texts; those of spend limits include holds. */
export interface AskFacts {
  readonly available: string;
  readonly organization: string;
  readonly project: string;
  readonly used: readonly number[];
}

export interface PairSlots {
  readonly minute: readonly (readonly [slot: number, amounts: readonly number[]])[];
  readonly day: readonly (readonly [slot: number, amounts: readonly number[]])[];
  readonly debt: number;
}

/** The answer to an ask: the outcome, and what was counted with it. */
export interface Answer {
  readonly code: number;
  readonly now: number;
  readonly minute: number;
  readonly day: number;
  /** The present use of each limit. */
  readonly used: readonly number[];
  readonly facts: AskFacts | null;
  readonly slots: PairSlots | null;
}

/** The month's charges and open holds of the organization (null) or of a project. */
export interface ScopeFigures {
  readonly scope: string | null;
  readonly spent: bigint;
  readonly held: bigint;
}

/** To a call that was described before the last change. */
export const STALE: Answer = {
  code: OUTCOMES.stale,
  now: 0,
  minute: 0,
  day: 0,
  used: [],
  facts: null,
  slots: null,
};

/** The operations of one tick, in the arrays and rows of the procedure. */
export class Tick {
  readonly pairs: TickPair[] = [];
  readonly scopes: (string | null)[] = [null];
  readonly #pairAt = new Map<string, number>();
  readonly #scopeAt = new Map<string, number>();
  readonly #refundAt = new Map<string, number>();
  readonly #refunds: { pair: number; minute: number; day: number }[] = [];
  readonly #scopeMax: bigint[] = [NO_LIMIT];
  readonly #holdRows: object[] = [];
  readonly #entryRows: object[] = [];

  constructor(
    readonly asks: readonly Ask[],
    readonly ends: readonly End[],
    readonly checkpoints: ReadonlyMap<string, CallCheckpoint>,
  ) {}

  /** The arguments of the procedure. @param nowMs the time of new entries. */
  encode(
    owner: string,
    times: { earliest: number | null; latest: number | null; feed: number; lease_ms: number },
    nowMs: number,
  ): unknown[] {
    const ends = this.ends.map((end) => this.#encodeEnd(end));
    const asks = this.asks.map((ask, index) => this.#encodeAsk(ask, index + 1));
    const rows = {
      ...times,
      holds: this.#holdRows,
      entries: this.#listEntries(nowMs),
      ...some(
        "uncharged",
        this.#listOfEnds(({ uncharged }) => uncharged),
      ),
      ...some(
        "task_ends",
        this.#listOfEnds(({ taskEnd }) => taskEnd),
      ),
      ...some("replies", this.#listOfEnds(toReplyRow)),
      ...some(
        "tasks",
        this.#listOfAsks(({ task }) => task ?? null),
      ),
      ...some("checkpoints", [...this.checkpoints].map(toCheckpointRow)),
      keyed: this.#byNumber(
        (ask) => ask.hold?.idempotency && toKeyRow(ask.hold, ask.hold.idempotency, ask.taskReply),
      ),
      batches: this.#byNumber(({ hold }) => hold?.batchId),
    };
    return [
      owner,
      writeJson(rows),
      this.pairs.map(({ projectId }) => projectId),
      this.pairs.map(({ model }) => model),
      this.pairs.flatMap(({ max }) => max.map((value) => String(value ?? NO_LIMIT))),
      this.scopes.map((scope) => scope ?? "organization"),
      this.#scopeMax.map(String),
      asks.map(({ amount }) => amount),
      asks.map(({ pair }) => pair),
      asks.map(({ scope }) => scope),
      asks.flatMap(({ needs }) => needs),
      asks.map(({ kind }) => kind),
      ends.map(({ hold }) => hold),
      ends.map(({ pair }) => pair),
      ends.map(({ scope }) => scope),
      ends.map(({ charge }) => charge),
      ends.map(({ late }) => late),
      ends.map(({ refund }) => refund),
      ends.flatMap(({ give }) => give),
      this.#refunds.map(({ pair }) => pair),
      this.#refunds.map(({ minute }) => minute),
      this.#refunds.map(({ day }) => day),
    ];
  }

  #encodeAsk(ask: Ask, n: number) {
    const { pair, spendLimits, amount, needs, isPreview, hold } = ask;
    const [ofOrganization, ofProject] = spendLimits;
    this.#scopeMax[0] = ofOrganization ?? NO_LIMIT;
    const scope = this.#findScope(pair.projectId);
    this.#scopeMax[scope - 1] = ofProject ?? NO_LIMIT;
    if (hold) this.#holdRows.push(toHoldRow(hold, n));
    const kind =
      (isPreview ? KINDS.preview : 0) +
      (hold?.idempotency ? KINDS.keyed : 0) +
      (hold?.batchId === undefined ? 0 : KINDS.ofBatch);
    return { amount: String(amount), pair: this.#findPair(pair), scope, needs, kind };
  }

  #encodeEnd({ holdId, projectId, pair, charge, late, give, slots }: End) {
    const at = pair === null ? 0 : this.#findPair(pair);
    return {
      hold: holdId,
      pair: at,
      scope: this.#findScope(projectId),
      charge: String(charge),
      late,
      refund: give && slots ? this.#findRefund(at, slots) : 0,
      give: give ?? NOTHING,
    };
  }

  /** Limits of a later operation of the tick are newer. */
  #findPair(pair: TickPair): number {
    const key = `${pair.projectId} ${pair.model}`;
    const known = this.#pairAt.get(key);
    if (known !== undefined) {
      this.pairs[known - 1] = pair;
      return known;
    }
    this.#pairAt.set(key, this.pairs.push(pair));
    return this.pairs.length;
  }

  #findScope(projectId: string): number {
    const known = this.#scopeAt.get(projectId);
    if (known !== undefined) return known;
    this.#scopeAt.set(projectId, this.scopes.push(projectId));
    this.#scopeMax.push(NO_LIMIT);
    return this.scopes.length;
  }

  #findRefund(pair: number, { minute, day }: TakenSlots): number {
    const key = `${pair} ${minute} ${day}`;
    const known = this.#refundAt.get(key);
    if (known !== undefined) return known;
    this.#refundAt.set(key, this.#refunds.push({ pair, minute, day }));
    return this.#refunds.length;
  }

  #listEntries(nowMs: number): object[] {
    for (const [index, { entries }] of this.ends.entries()) {
      for (const { row, trace } of entries) {
        const dated = { ...row, created_at_ms: nowMs };
        const digest = Buffer.from(hashEntry(toChainedValues(dated))).toString("hex");
        this.#entryRows.push({ ...toTexts(dated), n: this.#entryRows.length, at: index + 1, trace, digest });
      }
    }
    return this.#entryRows;
  }

  #listOfEnds(pick: (end: End) => object | null): object[] {
    return this.ends.flatMap((end, index) => {
      const row = pick(end);
      return row ? [{ ...row, at: index + 1 }] : [];
    });
  }

  #listOfAsks(pick: (ask: Ask) => object | null): object[] {
    return this.asks.flatMap((ask, index) => {
      const row = pick(ask);
      return row ? [{ ...row, n: index + 1 }] : [];
    });
  }

  #byNumber(pick: (ask: Ask) => unknown): Record<string, unknown> {
    const rows: Record<string, unknown> = {};
    for (const [index, ask] of this.asks.entries()) {
      const value = pick(ask);
      if (value !== undefined) rows[index + 1] = value;
    }
    return rows;
  }
}

const NOTHING: readonly number[] = Array.from({ length: LIMITS }, () => 0);

/** PostgreSQL's texts have no NUL and no half of a pair of surrogates. */
function writeJson(rows: object): string {
  const text = JSON.stringify(rows);
  if (!text.includes("\\u0000") && !text.includes("\\ud")) return text;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === "string" ? value.replaceAll(/\0|\p{Surrogate}/gu, "\u{FFFD}") : value,
  );
}

/** An empty list is left out, so that its statement isn't run. */
const some = (name: string, list: object[]) => (list.length > 0 ? { [name]: list } : {});

/** Integers beyond what JSON's numbers hold are texts. */
function toTexts(row: LedgerRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]),
  );
}

function toHoldRow(hold: HoldDraft, n: number): object {
  const { price } = hold;
  return {
    n,
    id: hold.id,
    request_id: hold.requestId,
    project_id: hold.projectId,
    key_id: hold.keyId,
    model: hold.model,
    task_id: hold.taskId,
    batch_id: hold.batchId,
    unit: price.perUnit?.unit,
    audio: writeAudioPrice(price),
    classes: writePriceClasses(price),
    amount: String(hold.amount),
    prompt_tokens: hold.promptTokens,
    max_completion_tokens: hold.maxCompletionTokens,
    input_per_1m: String(price.inputPer1m),
    output_per_1m: String(price.outputPer1m),
    rate: String(price.rate),
    created_at_ms: hold.createdAtMs,
    deadline_at_ms: hold.deadlineAtMs,
    units: hold.units,
    unit_price: price.perUnit && String(price.perUnit.amount),
  };
}

function toKeyRow(
  { createdAtMs, requestId }: HoldDraft,
  { scope, key, bodyHash }: Idempotency,
  reply: string | null = null,
): object {
  const times = { created_at_ms: createdAtMs, since: createdAtMs - IDEMPOTENCY_MS };
  return { scope, key, body_hash: bodyHash, reply, request_id: requestId, ...times };
}

function toReplyRow({ reply }: End): object | null {
  if (!reply) return null;
  const { scope, key } = reply.idempotency;
  return { scope, key, request_id: reply.requestId, reply: reply.text };
}

function toCheckpointRow([id, checkpoint]: [string, CallCheckpoint]): object {
  const { completionTokens, stream, provider, receiptDetails } = checkpoint;
  return { id, tokens: completionTokens, stream: Number(stream), provider, trace: receiptDetails };
}
