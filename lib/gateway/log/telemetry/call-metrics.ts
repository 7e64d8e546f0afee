import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { RequestAttempt, RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import { formatAmount, type Nano } from "@/lib/money/amount";
import type { TokenUsage } from "@/lib/money/charge";
import type { CallEnd, HoldDraft, RefusedRequest } from "../../ledger/funds";
import { readReceiptDetails } from "../requests/receipt-details";

/** Values that are read at each scrape. */
export interface MetricSources {
  /** ISO 4217. */
  readonly currency: string;
  balance(): Promise<{ readonly posted: Nano; readonly held: Nano }>;
  /** Counts the open holds of this process. */
  openHolds(): Promise<number>;
  isLedgerHealthy(): boolean;
  /** Circuit breakers that are open, by the provider and the model's name there. */
  openCircuits(): readonly { readonly provider: string; readonly model: string }[];
}

/** The bucket boundaries that OpenTelemetry's GenAI conventions recommend. */
const DURATIONS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_TOKENS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKEN_TIMES = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const WRITES = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 5];
const MAX_MODELS = 100;
const MAX_PROVIDERS = 50;
/** The label of all values beyond these. */
const OTHER = "other";

const MODEL = "gen_ai_request_model";
const PROVIDER = "gen_ai_provider_name";
const CALL_LABELS = ["gen_ai_operation_name", MODEL, PROVIDER];

/**
 * The gateway's metrics, named by OpenTelemetry's GenAI conventions if these have a name, and `gatehouse_*` otherwise.
 */
export class CallMetrics implements CallObserver {
  readonly registry = new Registry();
  readonly #models = new BoundedLabel(MAX_MODELS);
  readonly #providers = new BoundedLabel(MAX_PROVIDERS);
  readonly #requestDuration = this.#histogram(
    "gen_ai_server_request_duration_seconds",
    "From a call's admission until its end.",
    DURATIONS,
    [...CALL_LABELS, "error_type"],
  );
  readonly #firstToken = this.#histogram(
    "gen_ai_server_time_to_first_token_seconds",
    "From a call's admission until the first byte of its answer.",
    FIRST_TOKENS,
    CALL_LABELS,
  );
  readonly #tokenTime = this.#histogram(
    "gen_ai_server_time_per_output_token_seconds",
    "Of a streamed answer, the time between two tokens after the first.",
    TOKEN_TIMES,
    CALL_LABELS,
  );
  readonly #providerDuration = this.#histogram(
    "gen_ai_client_operation_duration_seconds",
    "From a request's being sent to a provider until its end.",
    DURATIONS,
    [...CALL_LABELS, "error_type"],
  );
  readonly #tokens = this.#histogram(
    "gen_ai_client_token_usage",
    "Tokens of a call that was charged.",
    TOKENS,
    [...CALL_LABELS, "gen_ai_token_type"],
  );
  readonly #calls = this.#counter("gatehouse_calls_total", "Calls that were admitted and ended.", [
    MODEL,
    "outcome",
  ]);
  readonly #refusals = this.#counter("gatehouse_refusals_total", "Calls that a check refused.", [
    "check",
    "status",
  ]);
  readonly #charges = this.#counter("gatehouse_charges_total", "What calls were charged.", [
    MODEL,
    "currency",
  ]);
  readonly #writes = this.#histogram(
    "gatehouse_ledger_write_duration_seconds",
    "From a write to the ledger's being asked for until it was on disk.",
    WRITES,
    ["operation"],
  );

  constructor(private readonly sources: MetricSources) {
    const { registry } = this;
    collectDefaultMetrics({ register: registry });
    this.#gauge("gatehouse_open_holds", "Calls that were admitted and have not ended.", [], async (gauge) =>
      gauge.set(await sources.openHolds()),
    );
    this.#gauge("gatehouse_ledger_up", "1 while the ledger's writer answers.", [], (gauge) =>
      gauge.set(sources.isLedgerHealthy() ? 1 : 0),
    );
    this.#gauge(
      "gatehouse_open_circuits",
      "Circuit breakers that are open, by the model's name at the provider.",
      [PROVIDER, MODEL],
      (gauge) => {
        gauge.reset();
        for (const { provider, model } of sources.openCircuits())
          gauge.set({ [PROVIDER]: this.#providers.limit(provider), [MODEL]: this.#models.limit(model) }, 1);
      },
    );
    this.#gauge(
      "gatehouse_balance",
      "The balance: posted, and what of it open holds set aside.",
      ["state", "currency"],
      async (gauge) => {
        const { posted: postedAmount, held: heldAmount } = await sources.balance();
        const { currency } = sources;
        gauge.set({ state: "posted", currency }, Number(formatAmount(postedAmount)));
        gauge.set({ state: "held", currency }, Number(formatAmount(heldAmount)));
      },
    );
  }

  onEnd({ hold, family, end, usage, charge }: ObservedCall): void {
    const model = this.#models.limit(hold.model);
    const provider = this.#providers.limit(end.provider ?? "none");
    const receiptDetails = readReceiptDetails(end.receiptDetails);
    const operation = nameOperation(receiptDetails.client?.endpoint, family);
    const modelLabels = { gen_ai_operation_name: operation, [MODEL]: model };
    const labels = { ...modelLabels, [PROVIDER]: provider };
    this.#calls.inc({ [MODEL]: model, outcome: end.outcome });
    const isError = end.outcome !== "completed";
    this.#requestDuration.observe(
      { ...labels, error_type: isError ? end.outcome : "" },
      end.durationMs / 1000,
    );
    if (end.firstByteMs !== null) this.#firstToken.observe(labels, end.firstByteMs / 1000);
    if (usage && end.stream && end.firstByteMs !== null && usage.completionTokens > 1) {
      const seconds = (end.durationMs - end.firstByteMs) / 1000;
      this.#tokenTime.observe(labels, seconds / (usage.completionTokens - 1));
    }
    if (usage && usage.units === undefined) {
      this.#tokens.observe({ ...labels, gen_ai_token_type: "input" }, usage.promptTokens);
      this.#tokens.observe({ ...labels, gen_ai_token_type: "output" }, usage.completionTokens);
    }
    if (charge !== null)
      this.#charges.inc({ [MODEL]: model, currency: this.sources.currency }, Number(formatAmount(charge)));
    this.#observeAttempts(modelLabels, receiptDetails.attempts, end.durationMs);
  }

  onRefusal({ refusedBy, status }: RefusedRequest): void {
    this.#refusals.inc({ check: refusedBy, status: String(status) });
  }

  onWrite(operation: LedgerWrite, seconds: number): void {
    this.#writes.observe({ operation }, seconds);
  }

  #observeAttempts(
    modelLabels: Record<string, string>,
    attempts: readonly RequestAttempt[],
    durationMs: number,
  ): void {
    for (const { provider, sent_ms, ended_ms, status, failure } of attempts) {
      if (sent_ms === null) continue;
      const error_type = failure === null ? "" : String(status ?? "unreachable");
      const labels = { ...modelLabels, [PROVIDER]: this.#providers.limit(provider), error_type };
      this.#providerDuration.observe(labels, ((ended_ms ?? durationMs) - sent_ms) / 1000);
    }
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: string[]) {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  #counter(name: string, help: string, labelNames: string[]) {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge(
    name: string,
    help: string,
    labelNames: string[],
    readGauge: (gauge: Gauge<string>) => void | Promise<void>,
  ) {
    const collect = function (this: Gauge<string>) {
      return readGauge(this);
    };
    return new Gauge({ name, help, labelNames, registers: [this.registry], collect });
  }
}

/** Limits a label to its first so many values, since a metric has one series per value. */
class BoundedLabel {
  readonly #knownValues = new Set<string>();

  constructor(private readonly max: number) {}

  limit(value: string): string {
    if (this.#knownValues.has(value)) return value;
    if (this.#knownValues.size >= this.max) return OTHER;
    this.#knownValues.add(value);
    return value;
  }
}

/** An admitted call, once its end is on disk. */
export interface ObservedCall {
  readonly hold: Pick<HoldDraft, "requestId" | "projectId" | "model">;
  /** The family of a task's model; absent for other calls. */
  readonly family?: MediaFamily | undefined;
  readonly end: CallEnd;
  /** Null for a call that cost nothing. */
  readonly usage: TokenUsage | null;
  readonly charge: Nano | null;
}

/** A write by the ledger's writer that a call waits for. */
export type LedgerWrite = "hold" | "settle" | "release";

/** Receives what happens to calls. It must not throw, and nothing waits for it. */
export interface CallObserver {
  onEnd?(call: ObservedCall): void;
  onRefusal?(request: RefusedRequest): void;
  /** @param seconds from the request of the write until it was on disk, or failed. */
  onWrite?(write: LedgerWrite, seconds: number): void;
}

/** The operation's name: OpenTelemetry's if its conventions have one, such as `chat`. */
const operations: Readonly<Record<RequestClient["endpoint"], string>> = {
  "chat/completions": "chat",
  messages: "chat",
  responses: "chat",
  embeddings: "embeddings",
  moderations: "moderations",
  "images/generations": "images",
  "images/edits": "images",
  videos: "videos",
  "audio/speech": "speech",
  "audio/transcriptions": "transcription",
  "audio/translations": "translation",
};

/** A task has the name of what it makes, whatever endpoint it was ordered at. */
const tasks: Readonly<Record<MediaFamily, string>> = { image: "images", video: "videos", music: "music" };

export function nameOperation(endpoint: RequestClient["endpoint"] | undefined, family?: MediaFamily): string {
  return family ? tasks[family] : operations[endpoint ?? "chat/completions"];
}
