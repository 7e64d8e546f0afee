import type * as z from "zod/mini";
import type { Operation, PathParameters } from "@/lib/contract/operation";
import { encodeSegment } from "@/lib/contract/path-segment";

/** How long a gateway has for a whole reply. */
export const TIMEOUT_MS = 15_000;
/** The same for what a page waits for before it is shown. */
export const SHORT_TIMEOUT_MS = 3_000;

/** A gateway and the token for requests to it. */
export interface Connection {
  /** The gateway's address without `/v1` and without a trailing slash. */
  readonly url: string;
  readonly token: string | null;
  /** Headers that tell the gateway about the browser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is of the console's own version, so that its replies have the contract's shape. */
  readonly isEmbedded?: boolean;
}

export type AnyOperation = Operation<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, string>;

/** The parts of a request that follow from its operation, and the common optional ones. */
export type GatewayRequest<Op> =
  Op extends Operation<infer Body, infer Query, infer _Reply, infer Path>
    ? ([PathParameters<Path>] extends [never]
        ? { readonly params?: never }
        : { readonly params: Readonly<Record<PathParameters<Path>, string>> }) &
        ([z.input<Body>] extends [undefined]
          ? { readonly body?: never }
          : { readonly body: z.input<Body> }) & {
          readonly query?: [z.input<Query>] extends [undefined] ? never : z.input<Query>;
          readonly headers?: Readonly<Record<string, string>>;
          readonly signal?: AbortSignal;
          readonly timeoutMs?: number;
        }
    : never;

export type OperationReply<Op> =
  Op extends Operation<infer _Body, infer _Query, infer Reply, infer _Path> ? z.output<Reply> : never;

export type RawRequestBody = FormData | ReadableStream<Uint8Array> | null;

/** A request without static types. */
export interface LooseRequest {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: unknown;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. The type of a form is known from the form. */
  readonly raw?: { readonly body: RawRequestBody; readonly type?: string } | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The time limit of a whole reply: `TIMEOUT_MS` if it is absent, as long as it takes if it is null. */
  readonly timeoutMs?: number | null;
}

const PARAMETER = /\{([a-z_]+)\}/g;

export function buildRequestUrl(url: string, operation: AnyOperation, request: LooseRequest): string {
  // The specification writes /organization paths without `/v1`. Every gateway accepts that form.
  const base = operation.surface === "v1" ? `${url}/v1` : url;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : "";
  return `${base}${buildRequestPath(operation, request)}${search}`;
}

export function buildRequestPath(operation: AnyOperation, request: LooseRequest): string {
  const path = operation.path.replace(PARAMETER, (_, name: string) =>
    encodeSegment(request.params?.[name] ?? ""),
  );
  // The specification writes only this path with a trailing slash, and a strict gateway accepts no other form.
  return operation.id === "createRole" ? `${path}/` : path;
}

/** Returns faults for path parameters that are empty, since they would change the path. */
export function findPathFaults(operation: AnyOperation, request: LooseRequest): Record<string, string> {
  const names = [...operation.path.matchAll(PARAMETER)].map(([, name = ""]) => name);
  const faulty = names.filter((name) => (request.params?.[name] ?? "") === "");
  return Object.fromEntries(faulty.map((name) => [name, "must be an id"]));
}
