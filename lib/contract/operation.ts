import type * as z from "zod/mini";
import type { Permission } from "./permissions";

/** Said in place of a permission where none can be asked for, with the reason. */
export interface OpenAccess {
  readonly open: "to everyone" | "to every caller";
  readonly because: string;
}

/** Where an operation is answered: under `/v1` alone, or under `/v1` and at the origin as well. */
export type Surface = "v1" | "v1 and origin";

/**
 * What a POST or DELETE changes. `creates` and `pays` honour Idempotency-Key. `edits`, `sets` (made where there is none) and
 * `deletes` honour If-Match for the object that `retrieveOperationOf` finds. `acts` is everything else, such as signing in.
 */
export type Effect = "creates" | "pays" | "edits" | "sets" | "deletes" | "acts";

/** A read changes nothing; whatever else there is says what it changes. */
type MethodAndEffect =
  | { readonly method: "GET"; readonly effect?: never }
  | { readonly method: "POST" | "DELETE"; readonly effect: Effect };

/** How large a body may be. A larger one is refused before anything is made of it. */
export interface BodyBounds {
  readonly bytes: number;
  /** Commas and opening brackets outside of strings: what a parser's time and memory go with. */
  readonly entries: number;
}

/** An operation as it is written down. */
interface OperationDraft<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
> {
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly effect?: Effect;
  /** Relative to the base address, parameters in braces: `/organization/roles/{role_id}`. */
  readonly path: Path;
  readonly surface: Surface;
  readonly permission: Permission | OpenAccess;
  /** What a session needs instead: a person in the console, where the permission is for programs. */
  readonly sessionPermission?: Permission;
  /** Said where the permission may be held in one project alone; what is of other projects the reply leaves out. */
  readonly heldIn?: "any project";
  /** One sentence for the reference. */
  readonly summary: string;
  readonly body?: Body;
  /** Said where they are not the usual ones. */
  readonly bodyBounds?: BodyBounds;
  readonly query?: Query;
  readonly reply: Reply;
}

/** One operation of the gateway: the only place its method, path, permission and shapes are written. */
export interface Operation<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
> extends OperationDraft<Body, Query, Reply, Path> {
  readonly bodyBounds: BodyBounds;
}

/** Anybody can send these, so they are kept shortest. */
const openBody: BodyBounds = { bytes: 16 * 1024, entries: 100 };
const usualBody: BodyBounds = { bytes: 64 * 1024, entries: 2_000 };

/** The names in braces of a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** Checks an operation against `Operation` and keeps its exact types. */
export function defineOperation<
  const Path extends string,
  Reply extends z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType<undefined, undefined>,
  Query extends z.ZodMiniType = z.ZodMiniType<undefined, undefined>,
>(
  operation: OperationDraft<Body, Query, Reply, Path> & MethodAndEffect,
): Operation<Body, Query, Reply, Path> {
  const { permission } = operation;
  const isOpen = typeof permission === "object" && permission.open === "to everyone";
  return { bodyBounds: isOpen ? openBody : usualBody, ...operation };
}
