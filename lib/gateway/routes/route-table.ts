import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { findNearestName } from "@/lib/contract/nearest-name";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";

export interface Match {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

const MAX_SUGGESTED_LENGTH = 200;
const METHODS = ["GET", "POST", "DELETE"] as const;

export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Finds the operation for a method and path. Trailing slashes are ignored; `/organization/…` also works under `/v1`.
 */
export function createRouteTable() {
  const router = new SmartRouter<Operation>({ routers: [new RegExpRouter(), new TrieRouter()] });
  /** Keyed by method and path, for paths without parameters: every model call's path is one, and needs no search. */
  const fixedRoutes = new Map<string, Match>();
  const add = (operation: Operation, pattern: string) => {
    router.add(operation.method, pattern, operation);
    if (!pattern.includes(":")) fixedRoutes.set(`${operation.method} ${pattern}`, { operation, params: {} });
  };
  for (const operation of operationTable) {
    const pattern = operation.path.replace(/\{(\w+)\}/g, ":$1");
    add(operation, `/v1${pattern}`);
    if (operation.surface === "v1 and origin") add(operation, pattern);
  }
  const find = (method: string, path: string): Match | null => {
    const match = fixedRoutes.get(`${method} ${path}`);
    if (match) return match;
    const [handlers, stash] = router.match(method, path);
    const handler = handlers[0];
    if (!handler) return null;
    const [operation, indexes] = handler;
    const params: Record<string, string> = {};
    for (const [name, index] of Object.entries(indexes)) {
      const value = decodeSegment(typeof index === "number" ? (stash?.[index] ?? "") : index);
      if (value === null) return null;
      params[name] = value;
    }
    return { operation, params };
  };
  const allowedMethods = (path: string) =>
    METHODS.filter((method) => find(method, withoutTrailingSlash(path)) !== null);
  return {
    find: (method: string, path: string) => find(method, withoutTrailingSlash(path)),
    allowedMethods,
    /** The existing path that is most similar to an unknown one. */
    nearestPath(path: string): string | null {
      if (path.length > MAX_SUGGESTED_LENGTH) return null;
      // A missing or an extra /v1 in the base address is the usual mistake.
      const otherPaths = [
        `/v1${path}`,
        path.replace(/^(\/v1)+/, "/v1"),
        path.replace(/^\/\w+\/v1\//, "/v1/"),
      ];
      return (
        otherPaths.find((other) => allowedMethods(other).length > 0) ??
        findNearestName(path, listCandidates(path))
      );
    },
  };
}

/** The known paths with as many segments, with parameters filled in from `path`. */
function listCandidates(path: string): string[] {
  const segments = withoutTrailingSlash(path).split("/");
  return operationTable.flatMap(({ path: pattern, surface }) => {
    const isAtOrigin = surface === "v1 and origin" && !path.startsWith("/v1/");
    const parts = `${isAtOrigin ? "" : "/v1"}${pattern}`.split("/");
    if (parts.length !== segments.length) return [];
    return [parts.map((part, index) => (part.startsWith("{") ? segments[index] : part)).join("/")];
  });
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Null for an invalid encoding. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
