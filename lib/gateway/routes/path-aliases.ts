import { decodeSegments } from "@/lib/contract/path-segment";

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
