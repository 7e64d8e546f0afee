import { isObject } from "../json-value";

const VARIABLE = /\{\{\s*((?!__proto__\s*\})[A-Za-z_][\w.-]{0,63})\s*\}\}/g;

/** Values of variables by their names. An empty text is a value. */
export type VariableValues = Readonly<Record<string, string>>;

/** Returns the names of the variables in a text, in order of appearance, with duplicates. */
export function namesIn(text: string): string[] {
  return text.includes("{{") ? [...text.matchAll(VARIABLE)].map(([, name = ""]) => name) : [];
}

/** Replaces the variables in a text. Variables inside a value aren't replaced, and variables without a value stay. */
export function fillVariables(text: string, values: VariableValues): string {
  return text.replace(VARIABLE, (whole, name: string) => findVariableValue(values, name) ?? whole);
}

/** Returns by how many characters a text grows when its variables are replaced, without building the text. */
export function measureGrowth(text: string, values: VariableValues): number {
  let growth = 0;
  for (const [whole, name = ""] of text.matchAll(VARIABLE)) {
    growth += (findVariableValue(values, name) ?? whole).length - whole.length;
  }
  return growth;
}

/** Returns a value for a variable, which may be named like a property of every object, such as `constructor`. */
export function findVariableValue(values: VariableValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A part of a text: plain, or a variable with its value, which is undefined if it has none. */
type TextPart = { readonly text: string } | { readonly variable: string; readonly value: string | undefined };

/** Splits a text at its variables. */
export function splitAtVariables(text: string, values: VariableValues): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const found of text.matchAll(VARIABLE)) {
    const [whole, name = ""] = found;
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    parts.push({ variable: name, value: findVariableValue(values, name) });
    end = found.index + whole.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) });
  return parts;
}

/** The fields of a body whose texts can contain variables. */
export const WITH_TEXTS = ["system", "messages", "instructions", "input"] as const;

/** Maps the texts of messages and of tools' outputs, but not their roles, ids and files. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (!isObject(value)) return value;
  const texts = ["content", "text", "output"].filter((field) => field in value);
  return { ...value, ...Object.fromEntries(texts.map((field) => [field, mapTexts(value[field], change)])) };
}
