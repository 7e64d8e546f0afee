import * as z from "zod/mini";
import type {
  BalanceRefusal,
  CircuitRefusal,
  LimitRefusal,
  SpendLimitRefusal,
} from "@/lib/contract/refusal-facts";

// Safe for the browser: no imports but types.

interface Common {
  /** A sentence for people: what is wrong and how to correct it. */
  readonly message: string;
  /** Faults of single input fields, by the field's name in the API. */
  readonly fields: Readonly<Record<string, string>>;
  /** The gateway's `x-request-id`, or the id under which the console logged the failure. */
  readonly requestId: string | null;
  /** The gateway's `error.code`, if there is one: it tells apart what shares a status. */
  readonly errorCode?: string;
}

/** Why the console could not do something. A closed union: a screen that handles every `code` handles everything. */
export type Problem =
  /** The session has ended or the token is no longer accepted. */
  | (Common & { readonly code: "unauthenticated" })
  /** `permission` is null if the gateway did not name it. */
  | (Common & { readonly code: "missing_permission"; readonly permission: string | null })
  /** The gateway has no such operation; `endpoint` is the method and path that were tried. */
  | (Common & { readonly code: "unsupported"; readonly endpoint: string })
  /** The operation exists, the object does not. */
  | (Common & { readonly code: "not_found" })
  | (Common & { readonly code: "invalid" })
  /** A duplicate, or an object that is still in use. */
  | (Common & { readonly code: "conflict" })
  /** Somebody else changed or deleted the object in the meantime. */
  | (Common & { readonly code: "stale"; readonly current: StaleObject })
  /**
   * Forbidden regardless of permissions: a predefined role, a model that the project may not call, a foreign origin, a
   * page of an earlier version of the console.
   */
  | (Common & { readonly code: "refused" })
  | (Common & {
      readonly code: "rate_limited";
      readonly limit: LimitRefusal | null;
      readonly retryAfterSeconds: number | null;
    })
  | (Common & { readonly code: "insufficient_balance"; readonly balance: BalanceRefusal | null })
  /** A spend limit of the project or the organization does not cover the call. */
  | (Common & { readonly code: "spend_limit"; readonly spendLimit: SpendLimitRefusal })
  /** The circuit breaker of the model's provider refused the call. */
  | (Common & { readonly code: "circuit_open"; readonly circuit: CircuitRefusal })
  /** No gateway answers at its address. */
  | (Common & { readonly code: "unreachable" })
  /**
   * Any other failure: the gateway failed, or its reply is invalid. `isDown` if it can serve nobody at the moment, as
   * it or a proxy in front of it says.
   */
  | (Common & { readonly code: "failed"; readonly isDown?: true });

/** The object of a stale change, as it is now. */
export type StaleObject =
  | { readonly state: "changed"; readonly object: unknown }
  | { readonly state: "deleted" }
  /** Changed, but not shown to this person, or not in a form that the console knows. */
  | { readonly state: "unreadable" };

export type ProblemCode = Problem["code"];

/** The outcome of a call to the gateway. */
export type GatewayReply<Data> =
  | { readonly ok: true; readonly data: Data; readonly requestId: string | null }
  | { readonly ok: false; readonly problem: Problem };

/** The result of a server action: `{ok, data}`, or the problem itself with `ok: false`. */
export type ActionReply<Data> =
  | { readonly ok: true; readonly data: Data }
  | ({ readonly ok: false } & Problem);

/** A problem as an exception, as TanStack Query expects. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** A problem without further details. */
export function createProblem(
  code: Exclude<
    ProblemCode,
    | "missing_permission"
    | "unsupported"
    | "rate_limited"
    | "insufficient_balance"
    | "spend_limit"
    | "circuit_open"
    | "stale"
  >,
  message: string,
  details: Partial<Pick<Problem, "fields" | "requestId">> = {},
): Problem {
  return { code, message, fields: details.fields ?? {}, requestId: details.requestId ?? null };
}

/** The problem of a request without a session. */
export const signedOut = createProblem("unauthenticated", "Your session has ended. Sign in to continue.");

/** Whether a change was refused because its object no longer exists. */
export function isGone(problem: Problem): boolean {
  return problem.code === "not_found" || (problem.code === "stale" && problem.current.state === "deleted");
}

const statuses: Readonly<Record<ProblemCode, number>> = {
  unauthenticated: 401,
  missing_permission: 403,
  refused: 403,
  unsupported: 501,
  not_found: 404,
  invalid: 400,
  conflict: 409,
  stale: 412,
  rate_limited: 429,
  insufficient_balance: 402,
  spend_limit: 402,
  circuit_open: 503,
  unreachable: 503,
  failed: 502,
};

/** A person's data must be neither cached nor given to other sites. */
export const privateHeaders = { "cache-control": "no-store", vary: "cookie, sec-fetch-site" };

export const foreignRead = createProblem("refused", "Only pages of this console may ask for this.");

/** Answers the browser with `{problem}` and a matching status. */
export function respondWithProblem(problem: Problem): Response {
  return Response.json({ problem }, { status: statuses[problem.code], headers: privateHeaders });
}

/** The schema, with null for values that don't match: for replies whose parts are used only if they are valid. */
export function orNull<Schema extends z.ZodMiniType>(schema: Schema) {
  const { catch: withFallback } = z;
  return withFallback(z.nullable(schema), null);
}
