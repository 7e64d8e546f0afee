import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { findNearestName } from "@/lib/contract/nearest-name";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { decodeSegment, decodeSegments } from "@/lib/contract/path-segment";
import { DIRECTORY_PATH } from "./directory/answer-directory";

export interface Match {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** The model of a call whose path names one, as Azure's do; absent for all others. */
  readonly model?: string;
}

const MAX_SUGGESTED_LENGTH = 200;
/** A path with more edits is another word: "conversations" is no misspelt "moderations". */
const MAX_PATH_EDITS = 2;
/** The parameters that name a model, whose id may have slashes. */
const NAMES_WITH_SLASHES = ["model_id", "rate_limit_id"];
const METHODS = ["GET", "POST", "DELETE"] as const;

export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Finds the operation for a method and path. Trailing slashes are ignored, models may be written with their slashes,
 * `/organization/…` also works under `/v1`, and all paths under the prefixes of `listAliases`.
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
  const findWithSlashes = createSlashSearch();
  const findAtPath = (method: string, path: string): Match | null => {
    const match = fixedRoutes.get(`${method} ${path}`);
    if (match) return match;
    const [handlers, stash] = router.match(method, path);
    const handler = handlers[0];
    if (!handler) return findWithSlashes(method, path);
    const [operation, indexes] = handler;
    const params: Record<string, string> = {};
    for (const [name, index] of Object.entries(indexes)) {
      const value = decodeSegment(typeof index === "number" ? (stash?.[index] ?? "") : index);
      if (value === null) return null;
      params[name] = value;
    }
    return { operation, params };
  };
  const find = (method: string, path: string): Match | null => {
    const match = findAtPath(method, path);
    if (match) return match;
    for (const { path: meant, model } of listAliases(path)) {
      const aliased = findAtPath(method, meant);
      if (aliased && model === null) return aliased;
      if (aliased?.operation.scope === "named project" && model !== null) return { ...aliased, model };
    }
    return null;
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
        findNearestName(path, listCandidates(path), MAX_PATH_EDITS)
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

/** Finds operations whose paths name a model with slashes that were not encoded: the paths with most text first. */
function createSlashSearch() {
  const routes = operationTable
    .filter(({ path }) => NAMES_WITH_SLASHES.some((name) => path.includes(`{${name}}`)))
    .toSorted((left, right) => right.path.length - left.path.length)
    .map((operation) => {
      const origin = operation.surface === "v1" ? "/v1" : "(?:/v1)?";
      const pattern = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        NAMES_WITH_SLASHES.includes(name) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
      );
      return { operation, pattern: new RegExp(`^${origin}${pattern}$`) };
    });
  return (method: string, path: string): Match | null => {
    for (const { operation, pattern } of routes) {
      const written = operation.method === method && pattern.exec(path)?.groups;
      if (!written) continue;
      const params: Record<string, string> = {};
      for (const [name, text] of Object.entries(written)) {
        const value = decodeSegments(text);
        if (value !== null) params[name] = value;
      }
      if (Object.keys(params).length === Object.keys(written).length) return { operation, params };
    }
    return null;
  };
}

interface Alias {
  /** The path without the prefix, under `/v1`. */
  readonly path: string;
  /** The model that the path names; null if it names none. */
  readonly model: string | null;
}

/** The prefixes under which clients of OpenAI and Anthropic are often pointed at a gateway, and Azure's v1 API. */
const PREFIXED = /^\/(?:openai|anthropic)(?:\/v1)+(?=\/)/;
/** Azure's paths of calls, which name the model. */
const DEPLOYMENTS = "/openai/deployments/";
/** Azure's other paths, such as `/openai/files`. */
const AZURE = /^\/openai(?=\/)/;
/** The most parts between slashes of a model's id that are looked for in a path. */
const MAX_PARTS = 8;

/** The paths that a path with a known prefix may stand for, most likely first; none for a path without one. */
export function listAliases(path: string): Alias[] {
  if (PREFIXED.test(path)) return [{ path: path.replace(PREFIXED, "/v1"), model: null }];
  if (path.startsWith(DEPLOYMENTS)) return listDeployments(path.slice(DEPLOYMENTS.length).split("/"));
  return AZURE.test(path) ? [{ path: path.replace(AZURE, "/v1"), model: null }] : [];
}

/** A model's id may have slashes, so that any number of the first segments may be the model. */
function listDeployments(segments: readonly string[]): Alias[] {
  const counts = Array.from({ length: Math.min(segments.length - 1, MAX_PARTS) }, (_, index) => index + 1);
  return counts.flatMap((count) => {
    const model = decodeSegments(segments.slice(0, count).join("/"));
    return model ? [{ path: `/v1/${segments.slice(count).join("/")}`, model }] : [];
  });
}

/** Whether a path is of SCIM, whose resources are no operations. */
export const isDirectoryPath = (path: string) =>
  path === DIRECTORY_PATH || path.startsWith(`${DIRECTORY_PATH}/`);
