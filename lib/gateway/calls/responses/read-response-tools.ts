import { isObject } from "@/lib/contract/json-value";
import { invalid, type Refusal } from "../../refusal";
import { boundParameters, boundToolName, type LeftOut } from "../anthropic/receiver-bounds";
import { hostedToolRefused } from "../requests/priced-fields";

type Fields = Readonly<Record<string, unknown>>;

/** The tools of a request in the form of a chat. */
export interface ReadTools {
  /** The fields of the chat: its tools and which of them are to be called; empty where none are sent. */
  readonly fields: Fields;
  readonly names: ToolNames;
}

interface ToolWishes {
  readonly tools: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: unknown;
  /** Whether none is left out. */
  readonly refusesHostedTools?: boolean | undefined;
}

interface ChatTool {
  readonly named: NamedTool;
  readonly tool: { readonly type: "function"; readonly function: { readonly name: string } & Fields };
}

/**
 * Reads tools as functions of a chat. Those that only a provider could run are left out, unless the request can't do
 * without them.
 * @throws Refusal 400 `unsupported_tool` where one is forced, or nothing else is left.
 */
export function readResponseTools(
  { tools, tool_choice, parallel_tool_calls, refusesHostedTools }: ToolWishes,
  leftOut: LeftOut,
) {
  const read: ChatTool[] = [];
  const hosted = new Set<string>();
  for (const tool of listInNamespaces(tools)) {
    const named = readNamedTool(tool);
    if (named) read.push(toChatTool(tool, named, leftOut));
    // Each tool is sent whole, so that nothing needs to be searched for.
    else if (tool.type !== "tool_search") hosted.add(String(tool.type));
  }
  if (refusesHostedTools && hosted.size > 0) throw hostedToolRefused("tools", [...hosted]);
  for (const type of hosted) leftOut.add(`tools.${type}`);
  const chosen = chooseTools(read, tool_choice, [...hosted]);
  if (chosen.tools.length === 0 && hosted.size > 0) throw unsupportedTool("tools", [...hosted]);
  const result: ReadTools = {
    fields:
      chosen.tools.length === 0
        ? {}
        : {
            tools: uniqueByName(chosen.tools),
            ...(chosen.choice !== undefined && { tool_choice: chosen.choice }),
            ...(typeof parallel_tool_calls === "boolean" && { parallel_tool_calls }),
          },
    names: Object.fromEntries(read.map(({ named, tool }) => [tool.function.name, named])),
  };
  return result;
}

function uniqueByName(tools: readonly ChatTool[]): ChatTool["tool"][] {
  return [...new Map(tools.map(({ tool }) => [tool.function.name, tool])).values()];
}

function chooseTools(read: readonly ChatTool[], choice: unknown, hosted: readonly string[]) {
  if (!isObject(choice)) {
    const isKnown = choice === "auto" || choice === "none" || choice === "required";
    return { tools: read, choice: isKnown ? choice : undefined };
  }
  if (choice.type === "allowed_tools") {
    const allowed = listInNamespaces(Array.isArray(choice.tools) ? choice.tools : []);
    const names = new Set(allowed.map(readNamedTool).map((named) => named && toChatName(named)));
    const tools = read.filter(({ tool }) => names.has(tool.function.name));
    const isForced = choice.mode === "required";
    if (isForced && tools.length === 0)
      throw unsupportedTool("tool_choice", hosted.length > 0 ? hosted : ["allowed_tools"]);
    return { tools, choice: isForced ? "required" : "auto" };
  }
  const named = readNamedTool(choice);
  const name = named && toChatName(named);
  if (name === null) throw unsupportedTool("tool_choice", [String(choice.type)]);
  if (!read.some(({ tool }) => tool.function.name === name))
    throw invalid("tool_choice", `tool_choice names the tool "${name}", which is not in tools.`);
  return { tools: read, choice: { type: "function", function: { name } } };
}

export function unsupportedTool(field: string, types: readonly string[]): Refusal {
  const named = types.map((type) => `"${type.slice(0, 60)}"`).join(", ");
  const message = `This model's provider runs no tool of the type ${named}. Send tools of type function or custom, which your program runs.`;
  return invalid(field, message, "unsupported_tool");
}

const text = (description: string) => ({ type: "string", description });

/** The functions by which a chat's model calls what clients run on their machines. */
const machineTools = {
  local_shell: {
    description: "Runs a command on the user's machine and gives its output.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "array", items: { type: "string" }, description: "The program and its arguments." },
        working_directory: text("The folder to run it in."),
        timeout_ms: { type: "integer", description: "The most milliseconds that it may take." },
      },
      required: ["command"],
    },
  },
  shell: {
    description: "Runs shell commands on the user's machine, one after another, and gives their output.",
    parameters: {
      type: "object",
      properties: {
        commands: { type: "array", items: { type: "string" }, description: "The commands to run." },
        timeout_ms: { type: "integer", description: "The most milliseconds that each may take." },
        max_output_length: { type: "integer", description: "The most characters of output to give back." },
      },
      required: ["commands"],
    },
  },
  apply_patch: {
    description:
      "Creates, changes or deletes a file. A diff is in the V4A form: lines that begin with a space stay, with - are removed, with + are added, and @@ begins a section.",
    parameters: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
        path: text("The path of the file."),
        diff: text("The diff; left out where a file is deleted."),
      },
      required: ["type", "path"],
    },
  },
} as const;

function toChatTool(sent: Fields, named: NamedTool, leftOut: LeftOut): ChatTool {
  const name = toChatName(named);
  if (named.type === "function") return { named, tool: toFunction(sent, name, leftOut) };
  if (named.type !== "custom") {
    return { named, tool: { type: "function", function: { name, ...machineTools[named.type] } } };
  }
  const parameters = {
    type: "object",
    properties: { input: text("The whole input.") },
    required: ["input"],
    additionalProperties: false,
  };
  const description = [sent.description, describeGrammar(sent.format)].filter(Boolean).join("\n\n");
  return {
    named,
    tool: { type: "function", function: { name, ...(description && { description }), parameters } },
  };
}

function toFunction(sent: Fields, name: string, leftOut: LeftOut): ChatTool["tool"] {
  const { description, parameters, strict } = sent;
  const onLost = (keyword: string) => leftOut.add(`tools.parameters.${keyword}`);
  return {
    type: "function",
    function: {
      name,
      ...(typeof description === "string" && description && { description }),
      parameters: boundParameters(isObject(parameters) ? parameters : {}, onLost),
      ...(strict === true && { strict }),
    },
  };
}

/** Chat completions of most servers take no grammar, so the model is told it. */
function describeGrammar(format: unknown): string {
  if (!isObject(format) || format.type !== "grammar") return "";
  return `The input must follow this ${String(format.syntax)} grammar:\n${String(format.definition)}`;
}

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
function readNamedTool({ type, name, namespace }: Fields): NamedTool | null {
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
