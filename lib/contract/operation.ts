import type * as z from "zod/mini";
import type { Permission } from "./permissions";

/** Replaces the permission of an operation that can't require one, and says why. */
export interface OpenAccess {
  readonly open: "to everyone" | "to every caller";
  readonly because: string;
}

/**
 * Where the caller must hold an operation's permission; a permission in the organization counts in all projects. `organization`:
 * there. `project`: in the project of the path. `named project`: in the project of the key, or of the header `OpenAI-Project`. `any
 * project`: in at least one; the reply leaves out the others. `own`: none, since it concerns the caller.
 */
export type Scope = "organization" | "project" | "named project" | "any project" | "own";

/**
 * An operation has the scope `project` exactly if its path contains a project, and `own` if it requires no
 * permission.
 */
type ScopeAndPermission<Path extends string> =
  | { readonly scope: "own"; readonly permission: OpenAccess }
  | {
      readonly scope: Path extends `${string}{project_id}${string}`
        ? "project"
        : Exclude<Scope, "project" | "own">;
      readonly permission: Permission;
    };

/** The paths of an operation: under `/v1` only, or under `/v1` and at the origin as well. */
export type Surface = "v1" | "v1 and origin";

/**
 * What a POST or DELETE changes. `creates` and `pays` support Idempotency-Key. `edits`, `sets` (which creates a missing
 * object) and `deletes` support If-Match for the object that `findRetrieveOperation` finds. `acts` is everything else, such
 * as signing in.
 */
export type Effect = "creates" | "pays" | "edits" | "sets" | "deletes" | "acts";

/** A read changes nothing; every other method declares its effect. */
type MethodAndEffect =
  | { readonly method: "GET"; readonly effect?: never }
  | { readonly method: "POST" | "DELETE"; readonly effect: Effect };

/** The maximum size of a body. A larger one is refused before it is parsed. */
export interface BodyBounds {
  readonly bytes: number;
  /** Commas and opening brackets outside strings, on which a parser's time and memory depend. */
  readonly entries: number;
}

/** An operation as `defineOperation` takes it. */
interface OperationDraft<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
> {
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly effect?: Effect;
  /** With `sets`: without If-Match it may only create an object, and is refused if there already is one. */
  readonly needsVersion?: true;
  /** Relative to the base address, parameters in braces: `/organization/roles/{role_id}`. */
  readonly path: Path;
  readonly surface: Surface;
  readonly scope: Scope;
  readonly permission: Permission | OpenAccess;
  /** The permission that a session needs instead, if programs and people need different ones. */
  readonly sessionPermission?: Permission;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly body?: Body;
  /** The bounds of its body, if they differ from the default. */
  readonly bodyBounds?: BodyBounds;
  readonly query?: Query;
  readonly reply: Reply;
}

/** One operation of the gateway. Its method, path, scope, permission and schemas are defined only here. */
export interface Operation<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
> extends OperationDraft<Body, Query, Reply, Path> {
  readonly bodyBounds: BodyBounds;
}

/** Bodies that anyone may send have the smallest bounds. */
const openBody: BodyBounds = { bytes: 16 * 1024, entries: 100 };
const defaultBodyBounds: BodyBounds = { bytes: 64 * 1024, entries: 2_000 };

/** The parameter names in a path's braces. */
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
  operation: OperationDraft<Body, Query, Reply, Path> & MethodAndEffect & ScopeAndPermission<Path>,
): Operation<Body, Query, Reply, Path> {
  const { permission } = operation;
  const isOpen = typeof permission === "object" && permission.open === "to everyone";
  return { bodyBounds: isOpen ? openBody : defaultBodyBounds, ...operation };
}
