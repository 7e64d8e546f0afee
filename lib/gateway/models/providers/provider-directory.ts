import {
  defaultTimeouts,
  type OmittableField,
  type OutputLimitField,
  type ProviderAuth,
  type ProviderKindName,
  type ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { SECOND_MS } from "@/lib/contract/durations";
import type { TableCache } from "../../changes/table-cache";
import { readHostname } from "../../http/outbound/allowed-addresses";
import type { Secret } from "../../secrets/secret";
import { bySource, type Source } from "../catalogue";

/** The time limits and the concurrency limit of a provider. */
export interface ProviderLimits {
  /** Maximum time until a connection is accepted. */
  readonly connectMs: number;
  /** Maximum time from the request to the last byte of an answer that isn't streamed, or to the first of speech. */
  readonly wholeAnswerMs: number;
  /** Maximum time from the request to the first event of a stream. */
  readonly firstEventMs: number;
  /** Maximum time between two pieces of progress: an event of a stream, or a piece of a whole reply. */
  readonly idleMs: number;
  /** Maximum time from the request to the last byte. */
  readonly totalMs: number;
  readonly maxConcurrentRequests: number;
  /** When its circuit breakers open; null: never. */
  readonly circuit: CircuitSettings | null;
}

/** The number of failures that opens a circuit breaker, and its first pause. */
export interface CircuitSettings {
  /** The number of consecutive failed calls that opens it. */
  readonly failures: number;
  readonly pauseMs: number;
}

const defaultCircuit: CircuitSettings = { failures: 10, pauseMs: 15_000 };

export const defaultProviderLimits: ProviderLimits = {
  ...toDeadlines({}),
  // Half of the gateway's own limit, so that one hanging provider leaves room for the others.
  maxConcurrentRequests: 1_000,
  circuit: defaultCircuit,
};

/** A provider's limits in the configuration file, times in seconds. */
export interface ProviderLimitsDraft {
  readonly timeouts?: ProviderTimeouts | undefined;
  readonly max_concurrent_requests?: number | undefined;
  readonly circuit?:
    | false
    | { readonly failures?: number | undefined; readonly pause_seconds?: number | undefined }
    | undefined;
}

/** The draft's limits, with defaults for those it leaves out. */
export function toProviderLimits({
  timeouts = {},
  circuit = {},
  ...draft
}: ProviderLimitsDraft): ProviderLimits {
  return {
    ...toDeadlines(timeouts),
    maxConcurrentRequests: draft.max_concurrent_requests ?? defaultProviderLimits.maxConcurrentRequests,
    circuit:
      circuit === false
        ? null
        : {
            failures: circuit.failures ?? defaultCircuit.failures,
            pauseMs: toMilliseconds(circuit.pause_seconds, defaultCircuit.pauseMs / SECOND_MS),
          },
  };
}

type Deadlines = Pick<ProviderLimits, "connectMs" | "wholeAnswerMs" | "firstEventMs" | "idleMs" | "totalMs">;

/** Time limits in milliseconds, with defaults for those that are left out. */
function toDeadlines(timeouts: ProviderTimeouts): Deadlines {
  const { connect_seconds, whole_answer_seconds, first_event_seconds, idle_seconds, total_seconds } =
    timeouts;
  return {
    connectMs: toMilliseconds(connect_seconds, defaultTimeouts.connect_seconds),
    wholeAnswerMs: toMilliseconds(whole_answer_seconds, defaultTimeouts.whole_answer_seconds),
    firstEventMs: toMilliseconds(first_event_seconds, defaultTimeouts.first_event_seconds),
    idleMs: toMilliseconds(idle_seconds, defaultTimeouts.idle_seconds),
    totalMs: toMilliseconds(total_seconds, defaultTimeouts.total_seconds),
  };
}

function toMilliseconds(seconds: number | null | undefined, usual: number): number {
  return (seconds ?? usual) * SECOND_MS;
}

/** The id of the built-in provider: deterministic, offline, no AI. */
export const SANDBOX = "sandbox";

/** One of a provider's keys. */
export interface ProviderKey {
  readonly id: string;
  readonly secret: Secret;
}

/** A server that answers models' calls. */
export interface Provider {
  readonly id: string;
  readonly kind: ProviderKindName;
  /** The address without a trailing slash, including `/v1` if the server has it; empty for the built-in provider. */
  readonly baseUrl: string;
  /** The first of its keys, with which files are made and lists are asked for. */
  readonly apiKey: Secret | null;
  /** All of them, in the order in which they were added. */
  readonly keys: readonly ProviderKey[];
  /** The protocols that its server speaks, the usual one first. */
  readonly protocols: readonly ProviderProtocol[];
  readonly auth: ProviderAuth;
  /** The base address of messages, at the same server; null where it is `baseUrl`. */
  readonly messagesBaseUrl: string | null;
  /** The name of the request field for the output limit; null: the default of its kind. */
  readonly outputLimitField: OutputLimitField | null;
  readonly limits: ProviderLimits;
  /** The time limits that were set; those that are absent or null are the defaults. */
  readonly timeouts: ProviderTimeouts;
  /** Fields of the gateway that its server refuses. */
  readonly refusedFields: readonly OmittableField[];
  /** The provider's task API, for the kind `http`; null for others. */
  readonly taskApi: TaskApi | null;
  readonly source: Source;
  /** Whether it may be at a private address, because the operator configured it or allowed its host. */
  readonly isTrusted: boolean;
}

/**
 * The built-in provider. It has no limit on concurrent requests and no circuit breakers, since some of its models fail
 * on purpose.
 */
export const sandboxProvider: Provider = {
  id: SANDBOX,
  kind: "sandbox",
  baseUrl: "",
  apiKey: null,
  keys: [],
  protocols: ["chat"],
  auth: "bearer",
  messagesBaseUrl: null,
  outputLimitField: null,
  timeouts: {},
  refusedFields: [],
  taskApi: null,
  limits: { ...defaultProviderLimits, maxConcurrentRequests: Number.POSITIVE_INFINITY, circuit: null },
  source: "built_in",
  isTrusted: true,
};

/** The host in the spelling of URLs, without brackets or port. */
export function parseHost(baseUrl: string): string {
  return readHostname(new URL(baseUrl));
}

/** All providers in memory, by id: configured and stored ones. */
export class ProviderDirectory {
  #byId = byId([sandboxProvider]);

  constructor(
    /** Hosts that any provider may have at a private address. */
    private readonly trustedHosts: readonly string[] = [],
  ) {}

  trusts(baseUrl: string): boolean {
    return this.trustedHosts.includes(parseHost(baseUrl));
  }

  find(id: string): Provider | undefined {
    return this.#byId.get(id);
  }

  /** Lists the providers in the order of the catalogue's models. */
  list(): Provider[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /**
   * `readProviders` returns all but the built-in provider. A change replaces only the provider it concerns, since links
   * refer to the others.
   */
  following(readProviders: () => Promise<readonly Provider[]>): TableCache {
    return {
      load: async () => {
        this.#byId = byId([...(await readProviders()), sandboxProvider]);
      },
      reread: {
        providers: async ({ id }) => {
          const provider = (await readProviders()).find((candidate) => candidate.id === id);
          if (provider) this.#byId.set(id, provider);
          else this.#byId.delete(id);
        },
      },
    };
  }
}

function byId(providers: readonly Provider[]): Map<string, Provider> {
  return new Map(providers.map((provider) => [provider.id, provider]));
}
