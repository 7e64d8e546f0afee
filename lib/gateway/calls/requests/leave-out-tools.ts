import { isObject } from "@/lib/contract/json-value";
import { type JsonObject, scanObject, spliceObject } from "../../http/json";
import { invalid, type Refusal } from "../../refusal";
import { toToolName } from "./priced-fields";

type Fields = Readonly<Record<string, unknown>>;

/** Which tools may be sent, and how others are refused that a call can't do without. */
interface ToolRules {
  /** The names of those that the model has a price for. */
  readonly priced: readonly string[] | undefined;
  /** Whether others are refused in any case. */
  readonly refusesAll: boolean | undefined;
  runsAtCaller(type: unknown): boolean;
  /** @param position of the tool in `tools`. */
  refuse(tool: Fields, position: number): Refusal;
}

/**
 * A request without the tools that its provider would run and the model has no price for, and their types.
 * @throws Refusal 400 where one of them is forced, or no other tool is there.
 */
export function leaveOutUnpricedTools<Body extends Pick<JsonObject, "text" | "scanned"> & { value: object }>(
  body: Body,
  { priced = [], refusesAll, runsAtCaller, refuse }: ToolRules,
): { readonly body: Body; readonly types: readonly string[] } {
  const { tools, tool_choice: choice } = body.value as Fields;
  if (!Array.isArray(tools)) return { body, types: [] };
  const isUnpriced = (tool: unknown): tool is Fields =>
    isObject(tool) &&
    tool.input_schema === undefined &&
    !runsAtCaller(tool.type) &&
    !priced.includes(toToolName(tool.type));
  const unpriced = tools.filter(isUnpriced);
  const [first] = unpriced;
  if (!first) return { body, types: [] };
  const types = [...new Set(unpriced.map(({ type }) => String(type)))];
  if (refusesAll) throw hostedToolRefused(`tools.${tools.indexOf(first)}`, types);
  const forced = unpriced.find((tool) => isForced(tool, choice));
  if (forced) throw refuse(forced, tools.indexOf(forced));
  if (unpriced.length === tools.length) throw refuse(first, 0);
  const kept = tools.filter((tool) => !isUnpriced(tool));
  const text = spliceObject(body.text, body.scanned, new Map([["tools", JSON.stringify(kept)]]));
  const without = { ...body, text, scanned: scanObject(text), value: { ...body.value, tools: kept } };
  return { body: without, types };
}

/** Of a project that refuses calls with such tools. */
export function hostedToolRefused(field: string, types: readonly string[]): Refusal {
  const named = types.map((type) => `"${type.slice(0, 60)}"`).join(", ");
  const message = `This project refuses tools that the provider would run and the model has no price for: ${named}. Leave them out, or let the project leave them out of its calls.`;
  return invalid(field, message, "unsupported_tool");
}

/** Whether a choice names this tool: by its type, or as messages do by its name. */
function isForced({ type, name }: Fields, choice: unknown): boolean {
  if (!isObject(choice)) return false;
  return choice.type === type || (choice.type === "tool" && name !== undefined && choice.name === name);
}

/** How left-out tools stand among all that was left out. */
export const nameTools = (types: readonly string[]) => types.map((type) => `tools.${type}`);
