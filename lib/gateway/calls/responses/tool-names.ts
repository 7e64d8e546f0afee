import { isObject } from "@/lib/contract/json-value";
import { boundToolName } from "../anthropic/receiver-bounds";

type Fields = Readonly<Record<string, unknown>>;

/** The tools that a client runs itself: as functions, by a text, or by the name of what they do on its machine. */
const runTypes = ["function", "custom", "local_shell", "shell", "apply_patch"] as const;
export type RunType = (typeof runTypes)[number];

export function isRunType(type: unknown): type is RunType {
  return runTypes.includes(type as RunType);
}

/** A tool by its own names, which its calls have in the client's items. */
export interface NamedTool {
  readonly type: RunType;
  readonly name: string;
  readonly namespace?: string;
}

/** The client's tools by the names that a chat's model calls them by. */
export type ToolNames = Readonly<Record<string, NamedTool>>;

/**
 * The name of a tool in a chat, which has no namespaces: the same for the same tool in each request, so that history
 * and tools agree.
 */
export function toChatName({ type, name, namespace }: NamedTool): string {
  if (type !== "function" && type !== "custom") return type;
  if (namespace === undefined) return boundToolName(name);
  return boundToolName(namespace.endsWith("__") ? `${namespace}${name}` : `${namespace}__${name}`);
}

/** What an item, a tool or a choice of one names; null where it is none that a client runs. */
export function readNamedTool({ type, name, namespace }: Fields): NamedTool | null {
  if (!isRunType(type)) return null;
  const own = type === "function" || type === "custom" ? String(name ?? "") : type;
  return { type, name: own, ...(typeof namespace === "string" && namespace && { namespace }) };
}

/** The tools of a list, with those of its namespaces. @returns each with its namespace as a field. */
export function listInNamespaces(tools: readonly unknown[]): Fields[] {
  return tools.filter(isObject).flatMap((tool) => {
    if (tool.type !== "namespace") return [tool];
    const inner = Array.isArray(tool.tools) ? tool.tools.filter(isObject) : [];
    return inner.map((one) => ({ ...one, namespace: String(tool.name) }));
  });
}
