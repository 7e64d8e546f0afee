import { readThinking } from "@/lib/contract/calls/read-answer";
import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";

/**
 * What a provider wants again of its answers: DeepSeek and Kimi `reasoning_content`, OpenRouter `reasoning_details`,
 * Gemini `extra_content` on tool calls. The names follow a rule, so that next month's are met too.
 */
const RETURNED = /^(reasoning|think|thought)|signature|encrypted|^(extra_content|provider_specific_fields)$/i;

/** The field in which Mistral's servers write thinking, as a part of a list. */
const CONTENT = "content";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A seal: what Anthropic's clients carry for the gateway in a signature, in redacted thinking or in a call's id. It is
 * encoded, not secret: the caller could send each of these fields in a chat completion as well.
 */
interface Seal {
  /** The server that gave it, and that alone gets it again. */
  readonly origin: string;
  /** The fields in which the thinking stood. */
  readonly names: readonly string[];
  /** The thinking, where the client wasn't shown it. */
  readonly thinking?: string;
  readonly fields: Fields;
}

const MARK = "gh1_";
export const CALL_MARK = `__${MARK}`;

export function writeSeal(seal: Seal): string {
  return MARK + Buffer.from(JSON.stringify(seal)).toString("base64url");
}

/** Null for anything but a seal of a gateway, such as a signature of another service. */
export function readSeal(text: string | null | undefined): Seal | null {
  if (!text?.startsWith(MARK)) return null;
  try {
    const seal = parseBounded(Buffer.from(text.slice(MARK.length), "base64url").toString());
    if (!isObject(seal) || typeof seal.origin !== "string") return null;
    const names = Array.isArray(seal.names) ? seal.names.filter(isReturnedName) : [];
    const fields = isObject(seal.fields) ? pickReturned(seal.fields) : {};
    const thinking = typeof seal.thinking === "string" ? { thinking: seal.thinking } : {};
    return { origin: seal.origin, names, fields, ...thinking };
  } catch {
    return null;
  }
}

/** Whether a field of an answer is what its provider wants again. */
export function isReturned(name: string): boolean {
  return RETURNED.test(name);
}

function isReturnedName(name: unknown): name is string {
  return typeof name === "string" && (name === CONTENT || RETURNED.test(name));
}

/** The fields of a message or of a tool call that its provider wants again. */
export function pickReturned(of: Fields): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name in of) if (RETURNED.test(name) && !isEmpty(of[name])) picked[name] = of[name];
  return picked;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** The id of a tool call, with what its provider wants again of the call. */
export function sealCallId(id: string, call: object, origin: string): string {
  const fields = pickReturned(call as Fields);
  if (Object.keys(fields).length === 0) return id;
  return `${id}__${writeSeal({ origin, names: [], fields })}`;
}

/** The provider's own id of a tool call, and its seal if it has one. */
export function readCallId(id: string): { readonly id: string; readonly seal: Seal | null } {
  const at = id.lastIndexOf(CALL_MARK);
  return at < 0 ? { id, seal: null } : { id: id.slice(0, at), seal: readSeal(id.slice(at + 2)) };
}

/** Collects what a provider wants again of a message, whole or delta by delta. */
export class ReturnedParts {
  readonly #names = new Set<string>();
  #fields: Record<string, unknown> = {};
  #hidden = "";

  /** @param hides whether the client isn't shown the thinking, so that the seal carries it. */
  constructor(
    private readonly origin: string,
    private readonly hides: boolean,
  ) {}

  get isEmpty(): boolean {
    return this.#names.size === 0 && Object.keys(this.#fields).length === 0;
  }

  note(written: object): void {
    const thinking = readThinking(written);
    const fields = pickReturned(written as Fields);
    for (const [name, value] of Object.entries(fields)) {
      if (value === thinking) this.#names.add(name);
      else this.#fields[name] = join(this.#fields[name], value);
    }
    if (thinking && !Object.values(fields).includes(thinking)) this.#names.add(CONTENT);
    if (this.hides) this.#hidden += thinking;
  }

  /** The seal of what was noted since the last one. */
  take(): string {
    const thinking = this.hides && this.#hidden ? { thinking: this.#hidden } : {};
    const seal = { origin: this.origin, names: [...this.#names], fields: this.#fields, ...thinking };
    this.#names.clear();
    this.#fields = {};
    this.#hidden = "";
    return writeSeal(seal);
  }
}

/** A field that came in several pieces: texts and lists go on, and anything else is replaced. */
function join(before: unknown, next: unknown): unknown {
  if (typeof before === "string" && typeof next === "string") return before + next;
  return Array.isArray(before) && Array.isArray(next) ? next.reduce(appendDetail, before) : next;
}

const growing = ["text", "summary", "data", "thinking"];

/** Adds a piece to a list, or to the last entry if it continues that one: of the same type, index and id. */
function appendDetail(list: readonly unknown[], piece: unknown): readonly unknown[] {
  const last = list.at(-1);
  const continues =
    isObject(last) &&
    isObject(piece) &&
    last.type === piece.type &&
    last.index === piece.index &&
    (piece.id ?? last.id) === (last.id ?? piece.id);
  if (!continues) return [...list, piece];
  const joined: Record<string, unknown> = { ...last };
  for (const [name, value] of Object.entries(piece)) {
    if (isEmpty(value)) continue;
    joined[name] = growing.includes(name) ? join(joined[name] ?? "", value) : value;
  }
  return [...list.slice(0, -1), joined];
}

/** The fields that an assistant's message gets again, of its seals in their order. */
export class RestoredParts {
  readonly fields: Record<string, unknown> = {};
  /** The thinking that is a part of the content, where it stood there. */
  thinkingContent = "";

  add({ names, fields, thinking }: Seal, shown: string): void {
    const text = thinking ?? shown;
    for (const name of names) {
      if (name === CONTENT) this.thinkingContent += text;
      else this.fields[name] = join(this.fields[name], text);
    }
    for (const [name, value] of Object.entries(fields)) {
      const before = this.fields[name];
      this.fields[name] =
        Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : join(before, value);
    }
  }
}
