import type { Permission } from "@/lib/contract/access/permissions";
import type {
  ErrorBody,
  ErrorCode,
  ErrorCodeWithStatus,
  ErrorStatus,
  ErrorType,
  RefusalFacts,
} from "@/lib/contract/errors";
import type {
  BalanceRefusal,
  CircuitRefusal,
  LimitRefusal,
  SpendLimitRefusal,
} from "@/lib/contract/refusal-facts";
import { maskSecrets } from "./secrets/secret";

/** The longest pause, in seconds, for which a client should wait by itself. */
const MAX_WAIT_S = 60;

/**
 * Headers that say when to try again. Anthropic's SDK waits as long as `retry-after` says, for days and beyond its own
 * timeout, so after a long pause the retry is left to whoever made the call.
 * @param ms the same in milliseconds, if that was asked for; OpenAI's SDK reads it first.
 */
export function retryAfter(seconds: number, ms?: number): Readonly<Record<string, string>> {
  const wait = {
    "retry-after": String(seconds),
    ...(ms !== undefined && { "retry-after-ms": String(Math.ceil(ms)) }),
  };
  return seconds > MAX_WAIT_S ? { ...wait, "x-should-retry": "false" } : wait;
}

interface RefusalDetails {
  readonly param?: string;
  readonly limit?: LimitRefusal;
  readonly balance?: BalanceRefusal;
  readonly spendLimit?: SpendLimitRefusal;
  readonly circuit?: CircuitRefusal;
  readonly permission?: Permission;
  readonly providerCode?: string;
  readonly current?: unknown;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fuller?: FullerRefusal;
}

/** What a refusal shows only to callers who hold a permission. */
interface FullerRefusal extends Pick<RefusalDetails, "balance" | "spendLimit" | "circuit"> {
  readonly permission: Permission;
  /** The project in which it must be held; null for the organization. */
  readonly projectId: string | null;
  readonly message: string;
}

/**
 * A request that is answered with an error. The message says what is wrong and how to correct it, and is safe to show.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: ErrorStatus,
    readonly type: ErrorType,
    readonly code: ErrorCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }

  /** Whether it was logged as a call: then `details.url` leads to its receipt. */
  get hasReceipt(): boolean {
    return this.details.url !== undefined;
  }

  /** This refusal with a link and headers added. Headers that are already set stay. */
  with({ url, headers }: Pick<RefusalDetails, "url" | "headers">): Refusal {
    const details = { ...this.details, url, headers: { ...headers, ...this.details.headers } };
    return new Refusal(this.status, this.type, this.code, this.message, details);
  }

  /** This refusal as a caller with these permissions may see it. */
  asSeenBy(permissionsIn: (projectId: string | null) => ReadonlySet<Permission>): Refusal {
    const { fuller, ...details } = this.details;
    if (!fuller || !permissionsIn(fuller.projectId).has(fuller.permission)) return this;
    const { message, balance, spendLimit, circuit } = fuller;
    const figures = {
      ...(balance && { balance }),
      ...(spendLimit && { spendLimit }),
      ...(circuit && { circuit }),
    };
    return new Refusal(this.status, this.type, this.code, message, { ...details, ...figures });
  }

  /** The figures of the check that refused, including those that only some callers may see. */
  facts(): RefusalFacts {
    const { limit, balance, spendLimit, circuit, fuller } = this.details;
    return {
      limit,
      balance: fuller?.balance ?? balance,
      spend_limit: fuller?.spendLimit ?? spendLimit,
      circuit: fuller?.circuit ?? circuit,
    };
  }

  body(requestId: string): ErrorBody {
    const { param = null, limit, balance, spendLimit, circuit, permission } = this.details;
    const { providerCode, current, url } = this.details;
    return {
      error: {
        // Messages may quote a secret from the request, and logs may keep messages.
        message: maskSecrets(this.message),
        type: this.type,
        code: this.code,
        param,
        request_id: requestId,
        ...(url && { url }),
        ...(limit && { limit }),
        ...(balance && { balance }),
        ...(spendLimit && { spend_limit: spendLimit }),
        ...(circuit && { circuit }),
        ...(permission && { permission }),
        ...(providerCode && { provider_code: providerCode }),
        ...(current !== undefined && { current }),
      },
    };
  }
}

/** What a check refuses; null if it doesn't. */
export function catchRefusal(check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** 400: a field is missing or malformed. */
export function invalid(
  param: string,
  message: string,
  code: ErrorCodeWithStatus<400> = "invalid_value",
): Refusal {
  return new Refusal(400, "invalid_request_error", code, message, { param });
}

/** 404: the object does not exist, or the caller may not know of it. */
export function notFound(noun: string, id: string, param: string): Refusal {
  return new Refusal(404, "not_found_error", "object_not_found", `There is no ${noun} "${id}".`, { param });
}

/** 409: the change conflicts with the present state. */
export function conflict(
  param: string,
  message: string,
  code: ErrorCodeWithStatus<409> = "already_exists",
): Refusal {
  return new Refusal(409, "conflict_error", code, message, { param });
}

/** 403: the caller lacks the permission an operation asks for. */
export function missingPermission(permission: Permission): Refusal {
  const message = `This needs the permission ${permission}, which your key or role does not hold. Ask an Owner to grant it.`;
  return new Refusal(403, "permission_error", "missing_permission", message, { permission });
}

/** 403: the caller holds the permission in a project but did not name the project. */
export function projectNotNamed(permission: Permission): Refusal {
  const message = `This needs the permission ${permission}, which you hold in a project, not in the whole organization. Name the project in the header OpenAI-Project.`;
  const details = { permission, param: "OpenAI-Project" };
  return new Refusal(403, "permission_error", "missing_permission", message, details);
}

/** 401, worded the same whatever is wrong with the key. `hint` may add what the key's form shows. */
export function unauthenticated(hint = ""): Refusal {
  const message = `The API key is missing, malformed, unknown, revoked or expired. Send it as: Authorization: Bearer <key>.${hint}`;
  return new Refusal(401, "authentication_error", "invalid_api_key", message, {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** 503: the stores can't be reached. */
export function storeUnavailable(): Refusal {
  const message = "The gateway can't reach its store. Try again in a second.";
  return new Refusal(503, "service_error", "store_unavailable", message, { headers: retryAfter(1) });
}
