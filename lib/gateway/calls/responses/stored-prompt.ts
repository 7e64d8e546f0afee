import * as z from "zod/mini";
import {
  fillVariables,
  mapTexts,
  namesIn,
  splitAtVariables,
  WITH_TEXTS,
} from "@/lib/contract/calls/prompt-variables";
import { isObject } from "@/lib/contract/json-value";
import { promptReference } from "@/lib/contract/operations/calls/responses";
import { type BodyPieces, joinToBuffer } from "../../http/body-reader";
import { scanObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import type { PromptRecord, PromptStore } from "../../prompts/prompt-store.sql";
import { findPrompt } from "../../prompts/prompts";
import { invalid, notFound } from "../../refusal";

type Fields = Readonly<Record<string, unknown>>;

/** What a response tells of the saved prompt that its request was filled with. */
export interface FilledPrompt {
  readonly id: string;
  readonly version: string;
  readonly variables: Fields | null;
}

export interface StoredPromptContext {
  readonly prompts: Pick<PromptStore, "find" | "findVersion">;
}

/** Whose request it is: of a key or a member, for a project. */
interface Reader {
  readonly projectId: string;
  readonly keyId: string;
  /** How long a filled request may be. */
  readonly maxBytes: number;
}

const PROMPT = Buffer.from('"prompt"');
const named = z.looseObject({ prompt: z.optional(z.nullable(promptReference)) });

/**
 * A request that names a saved prompt of its project, with the prompt's fields where it has none of its own. Null where
 * it names none.
 * @throws Refusal 400 or 404 naming what can't be filled.
 */
export async function fillStoredPrompt(
  { prompts }: StoredPromptContext,
  { projectId, keyId, maxBytes }: Reader,
  sent: BodyPieces,
): Promise<{ readonly pieces: BodyPieces; readonly prompt: FilledPrompt } | null> {
  const bytes = joinToBuffer(sent);
  if (!bytes.includes(PROMPT)) return null;
  const text = bytes.toString();
  const scanned = scanObject(text);
  const read = (name: string): unknown => {
    const member = scanned.members.get(name);
    return member && parse(text.slice(member.valueStart, member.end));
  };
  const { prompt } = parseWith(named, { prompt: read("prompt") });
  // What is no JSON, or names two prompts, is refused by the reader of the whole body.
  if (!prompt || scanned.duplicate !== null) return null;
  const { id, variables = null } = prompt;
  const found = await findPrompt(prompts, { projectId, id, readerId: keyId }, "prompt.id");
  const number = readVersion(found, prompt.version ?? null);
  const version = await prompts.findVersion(id, number);
  if (!version?.content) throw noSuchVersion(found, String(number));
  if (version.content.endpoint !== "responses")
    throw invalid(
      "prompt.id",
      `This prompt is written for ${version.content.endpoint}. Save it as one for responses, or send its messages.`,
    );
  const changes = new Map<string, string | null>([["prompt", null]]);
  for (const [name, value] of Object.entries(fill(version.content.body, variables ?? {}, maxBytes)))
    if (!ofRequest.has(name) && (read(name) ?? null) === null) changes.set(name, JSON.stringify(value));
  return {
    pieces: [Buffer.from(spliceObject(text, scanned, changes))],
    prompt: { id, version: String(number), variables },
  };
}

/** Fields that only the request decides: what it continues and keeps, how it is answered, who is called back. */
const ofRequest = new Set(
  "prompt model stream background callback_url store previous_response_id conversation".split(" "),
);

/** The number of a version; the newest where none is named. */
function readVersion(prompt: PromptRecord, version: string | null): number {
  if (version === null) return prompt.latestVersion;
  if (!/^[1-9]\d{0,8}$/.test(version)) throw noSuchVersion(prompt, version);
  return Number(version);
}

function noSuchVersion({ latestVersion }: PromptRecord, version: string) {
  const shown = version.slice(0, 20);
  return notFound("version", `${shown}" of this prompt: its newest is "${latestVersion}`, "prompt.version");
}

/** @throws Refusal 400 for a variable without a value, a value without a variable, and too long a text. */
function fill(body: Fields, variables: Fields, maxBytes: number): Fields {
  const names = new Set<string>();
  let length = 0;
  const note = (text: string) => {
    for (const part of splitAtVariables(text, {})) {
      if ("variable" in part) names.add(part.variable);
      length += "variable" in part ? measure(findOwn(variables, part.variable)) : part.text.length;
    }
    return text;
  };
  for (const field of WITH_TEXTS) mapTexts(body[field], note);
  for (const name of names) {
    if (findOwn(variables, name) !== undefined) continue;
    const message = `The prompt has the variable "${name}", and prompt.variables has no value for it.`;
    throw invalid(`prompt.variables.${name}`, message, "missing_field");
  }
  for (const name of Object.keys(variables)) {
    if (names.has(name)) continue;
    throw invalid(`prompt.variables.${name}`, `The prompt has no variable "${name}". Leave it out.`);
  }
  if (length > maxBytes)
    throw invalid(
      "prompt.variables",
      `With its variables, the prompt is longer than ${maxBytes} characters.`,
    );
  const texts: Record<string, string> = {};
  const parts: Record<string, Fields> = {};
  for (const [name, value] of Object.entries(variables)) {
    const told = readTextPart(value);
    if (told !== null) texts[name] = told;
    else parts[name] = value as Fields;
  }
  const { input, ...others } = body;
  const filled = WITH_TEXTS.filter((field) => field in others).map((field) => [
    field,
    mapTexts(others[field], (text) => fillVariables(refuseParts(text, parts), texts)),
  ]);
  return {
    ...others,
    ...Object.fromEntries(filled),
    ...(input !== undefined && { input: fillInput(input, texts, parts) }),
  };
}

type Texts = Readonly<Record<string, string>>;
type Parts = Readonly<Record<string, Fields>>;

/** Fills an input, in which a picture or a file stands as a part of its own among a user's words. */
function fillInput(input: unknown, texts: Texts, parts: Parts): unknown {
  const hasPart = (text: string) => namesIn(text).some((name) => Object.hasOwn(parts, name));
  const toParts = (text: string) =>
    splitAtVariables(text, texts).map((piece): Fields => {
      if (!("variable" in piece)) return { type: "input_text", text: piece.text };
      return parts[piece.variable] ?? { type: "input_text", text: piece.value ?? "" };
    });
  const fillTexts = (value: unknown) =>
    mapTexts(value, (text) => fillVariables(refuseParts(text, parts), texts));
  if (typeof input === "string")
    return hasPart(input) ? [{ type: "message", role: "user", content: toParts(input) }] : fillTexts(input);
  if (!Array.isArray(input)) return fillTexts(input);
  return input.map((item: unknown) => {
    if (!isObject(item) || item.role !== "user") return fillTexts(item);
    const { content, ...others } = item;
    if (typeof content === "string" && hasPart(content)) return { ...others, content: toParts(content) };
    if (!Array.isArray(content)) return fillTexts(item);
    const filled = content.flatMap((part: unknown) => {
      const text = isObject(part) && part.type === "input_text" ? part.text : null;
      return typeof text === "string" && hasPart(text) ? toParts(text) : [fillTexts(part)];
    });
    return { ...others, content: filled };
  });
}

/** @throws Refusal 400 for a text with a variable whose value is no text. */
function refuseParts(text: string, parts: Parts): string {
  const name = namesIn(text).find((one) => Object.hasOwn(parts, one));
  if (name === undefined) return text;
  throw invalid(
    `prompt.variables.${name}`,
    `The prompt has "${name}" outside of a user's words, where only a text can stand.`,
  );
}

/** The text of a value; null for a picture or a file. */
function readTextPart(value: unknown): string | null {
  if (typeof value === "string") return value;
  return isObject(value) && value.type === "input_text" && typeof value.text === "string" ? value.text : null;
}

/** A variable may be named like a property of every object. */
function findOwn(variables: Fields, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

function measure(value: unknown): number {
  return (readTextPart(value) ?? JSON.stringify(value ?? "")).length;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The reader of the whole body says what is wrong with it.
    return undefined;
  }
}
