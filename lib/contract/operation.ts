import type * as z from "zod/mini";
import type { LimitedKeys } from "./access/key-scopes";
import type { Permission } from "./access/permissions";

/** Replaces the permission of an operation that can't require one, and says why. */
interface OpenAccess {
  readonly open: "to everyone" | "to every caller";
  readonly because: string;
}

/**
 * Where the caller must hold an operation's permission: in the `organization`, which counts in all projects; in the
 * `project` of the path; in the `named project` of the key or of the header `OpenAI-Project`; in `any project`, whose
 * reply leaves out the others; or nowhere, since the operation concerns the caller's `own` things.
 */
export type OperationScope = "organization" | "project" | "named project" | "any project" | "own";

/**
 * An operation has the scope `project` exactly if its path contains a project, and `own` if it requires no
 * permission.
 */
type ScopeAndPermission<Path extends string> =
  | { readonly scope: "own"; readonly permission: OpenAccess }
  | {
      readonly scope: Path extends `${string}{project_id}${string}`
        ? "project"
        : Exclude<OperationScope, "project" | "own">;
      readonly permission: Permission;
    };

/** The paths of an operation: under `/v1` only, or under `/v1` and at the origin as well. */
type Surface = "v1" | "v1 and origin";

/**
 * What a POST or DELETE changes. `creates` and `pays` support Idempotency-Key. `edits`, `sets` (which creates a missing
 * object) and `deletes` support If-Match for the object that `findRetrieveOperation` finds. `acts` is everything else,
 * such as signing in.
 */
type Effect = "creates" | "pays" | "edits" | "sets" | "deletes" | "acts";

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

/** One operation of the gateway. Its method, path, scope, permission and schemas are defined only here. */
export interface Operation<
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
  readonly scope: OperationScope;
  readonly permission: Permission | OpenAccess;
  /** The permission that a session needs instead, if programs and people need different ones. */
  readonly sessionPermission?: Permission;
  /** No limited key may call it if this is absent. */
  readonly limitedKeys?: LimitedKeys;
  /** A short text for the reference, where it stands alone. */
  readonly summary: string;
  readonly body?: Body;
  readonly bodyBounds: BodyBounds;
  readonly query?: Query;
  readonly reply: Reply;
}

/** What operations of one noun have in common. Each may still declare its own. */
type SharedFields = Partial<
  Pick<Operation, "surface" | "scope" | "permission" | "sessionPermission" | "limitedKeys">
>;

/** The fields of an operation under its id. `bodyBounds` only if they differ from the default. */
type OperationDraft = Omit<Operation, "id" | "method" | "effect" | "bodyBounds" | keyof SharedFields> &
  SharedFields &
  MethodAndEffect & { readonly bodyBounds?: BodyBounds };

type OperationDrafts = Readonly<Record<string, OperationDraft>>;

/** Refuses the fields that `Known` doesn't have. */
type Only<Known, Fields> = Readonly<Record<Exclude<keyof Fields, keyof Known>, never>>;

type Complete<Path extends string> = ScopeAndPermission<Path> & { readonly surface: Surface };

/** What else a draft has to be: complete together with the shared fields, and without unknown fields. */
type Checked<Shared, Draft extends OperationDraft> = (Omit<Shared, keyof Draft> & Draft extends Complete<
  Draft["path"]
>
  ? unknown
  : Complete<Draft["path"]>) &
  Only<OperationDraft, Draft>;

type NoSchema = z.ZodMiniType<undefined, undefined>;

type Defined<Draft extends OperationDraft> = Operation<
  Draft extends { readonly body: infer Body extends z.ZodMiniType } ? Body : NoSchema,
  Draft extends { readonly query: infer Query extends z.ZodMiniType } ? Query : NoSchema,
  Draft["reply"],
  Draft["path"]
>;

type Operations<Drafts extends OperationDrafts> = {
  readonly [Id in keyof Drafts]: Defined<Drafts[Id]>;
};

/** Bodies that anyone may send have the smallest bounds. */
const openBody: BodyBounds = { bytes: 16 * 1024, entries: 100 };
const callerBody: BodyBounds = { bytes: 64 * 1024, entries: 2_000 };

/** The parameter names in a path's braces. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/**
 * Checks operations, keeps their exact types, and gives each its key as its id. `shared` are the fields of those that
 * don't declare their own.
 */
export function defineOperations<const Shared extends SharedFields, const Drafts extends OperationDrafts>(
  shared: Shared & Only<SharedFields, Shared>,
  drafts: Drafts & { readonly [Id in keyof Drafts]: Checked<Shared, Drafts[Id]> },
): Operations<Drafts> {
  const operations = Object.entries(drafts as OperationDrafts).map(([id, draft]) => {
    const operation = { ...shared, ...draft, id };
    return [id, { bodyBounds: isOpen(operation) ? openBody : callerBody, ...operation }];
  });
  return Object.fromEntries(operations) as Operations<Drafts>;
}

function isOpen({ permission }: SharedFields): boolean {
  return typeof permission === "object" && permission.open === "to everyone";
}
