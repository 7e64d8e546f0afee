import { encodeSegment } from "@/lib/contract/path-segment";
import type { AnyOperation, LooseRequest } from "./gateway-request";

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
