import { formatCount } from "@/components/ui/values/group-digits";
import {
  fillVariables,
  mapTexts,
  measureGrowth,
  namesIn,
  type VariableValues,
  WITH_TEXTS,
} from "@/lib/contract/calls/prompt-variables";
import { isObject } from "@/lib/contract/json-value";
import type { PromptContent } from "@/lib/contract/operations/playground/prompts";

/** Returns the names of the variables in a prompt's texts, without duplicates, in order of appearance. */
export function listVariables({ body }: PromptContent): string[] {
  const names = new Set<string>();
  const note = (text: string) => {
    for (const name of namesIn(text)) names.add(name);
    return text;
  };
  for (const field of WITH_TEXTS) mapTexts(body[field], note);
  return [...names];
}

/** No model has a context of this length. The console accepts calls of 16 MB. */
export const MAX_FILLED_LENGTH = 4_000_000;

export const PROMPT_TOO_LONG = `With this case filled in, the prompt is longer than ${formatCount(MAX_FILLED_LENGTH)} characters. Shorten the case’s values, or use them fewer times.`;

/**
 * Replaces the variables in a prompt's texts. Returns null if the texts would become too long. That is checked first,
 * since a few characters can name a long value.
 */
export function fillPrompt(content: PromptContent, values: VariableValues): PromptContent | null {
  let length = 0;
  const measure = (text: string) => {
    length += text.length + measureGrowth(text, values);
    return text;
  };
  for (const field of WITH_TEXTS) mapTexts(content.body[field], measure);
  if (length > MAX_FILLED_LENGTH) return null;
  const fill = (text: string) => fillVariables(text, values);
  const filled = WITH_TEXTS.filter((field) => field in content.body).map((field) => [
    field,
    mapTexts(content.body[field], fill),
  ]);
  return { ...content, body: { ...content.body, ...Object.fromEntries(filled) } };
}

/** Renders a prompt as text for reading and comparing versions: each message under its role, then the settings. */
export function renderPromptText({ endpoint, body }: PromptContent): string {
  const { messages, input, system, instructions = system, ...settings } = body;
  const said = listItems(messages ?? input).map(({ type, role = type, content, ...rest }) => {
    const further = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest, null, 2)}` : "";
    return `[${role}]\n${joinContentText(content)}${further}`;
  });
  const instruction = instructions === undefined ? [] : [`[system]\n${joinContentText(instructions)}`];
  const set = Object.entries(settings).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`,
  );
  const head = endpoint === "chat_completions" ? [] : [`endpoint: ${endpoint}`];
  return [
    ...instruction,
    ...said,
    ...(head.length + set.length > 0 ? [[...head, ...set].join("\n")] : []),
  ].join("\n\n");
}

/** The messages of a chat, or the items of a response's input, which may be a text. */
function listItems(said: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof said === "string") return [{ role: "user", content: said }];
  return Array.isArray(said) ? said.filter(isObject) : [];
}

function joinContentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part) => (isObject(part) && typeof part.text === "string" ? part.text : `(${partName(part)})`))
    .join("\n");
}

function partName(part: unknown): string {
  return isObject(part) && typeof part.type === "string" ? part.type : "part";
}
