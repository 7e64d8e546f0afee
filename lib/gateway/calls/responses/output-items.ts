import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";
import type { BlockWriter, StreamedBlock } from "../anthropic/message-blocks";
import type { NamedTool } from "./read-response-tools";
import type { ResponseFacts } from "./response-facts";

type Fields = Readonly<Record<string, unknown>>;

/** Numbers the events of a response, and writes each. Fields may be given as JSON, without its braces. */
export type EventWriter = (type: string, fields: object | (() => string)) => string;

type Facts = Pick<ResponseFacts, "tools" | "showsSummary" | "isSealShown">;

/** How one item is written while it grows. */
interface ItemForm {
  /** The item as it begins. */
  readonly begun: Fields & { readonly id: string };
  readonly begin: () => string;
  readonly fill: (piece: string) => string;
  /** What ends its parts, and the item's fields as they are then. */
  readonly end: (text: string) => {
    readonly events: string;
    readonly fields: Fields;
    /** What is kept beside them. */
    readonly sealed?: Fields;
  };
}

/**
 * Writes the items of a response one after another: each is added, its parts come and are done, and then it is done.
 * So the deltas of a part joined are its text, and the items that are done are the output.
 */
export class OutputItems implements BlockWriter {
  readonly done: Fields[] = [];
  /** The same with what providers want again of their thinking, also where it isn't shown. */
  readonly kept: Fields[] = [];
  /** How the item that is open at the answer's end ended. */
  lastStatus: "completed" | "incomplete" = "completed";
  #form: ItemForm | null = null;
  #text = "";
  #logprobs: unknown[] = [];

  constructor(
    /** The part that the ids of items share. */
    private readonly idStem: string,
    private readonly facts: Facts,
    private readonly write: EventWriter,
  ) {}

  /** Keeps the likelihood of the tokens that come next. */
  noteLogprobs(logprobs: readonly unknown[]): void {
    this.#logprobs.push(...logprobs);
  }

  begin(block: StreamedBlock, index: number): string {
    this.#form = this.#choose(block, index);
    this.#text = "";
    const { begun, begin } = this.#form;
    return this.write("response.output_item.added", { output_index: index, item: begun }) + begin();
  }

  fill(_: StreamedBlock, piece: string): string {
    this.#text += piece;
    return this.#form?.fill(piece) ?? "";
  }

  close(_: StreamedBlock, index: number): string {
    if (!this.#form) return "";
    const { begun, end } = this.#form;
    const { events, fields, sealed } = end(this.#text);
    const item = { ...begun, ...fields, status: this.lastStatus };
    this.#form = null;
    this.done.push(item);
    this.kept.push({ ...item, ...sealed });
    return events + this.write("response.output_item.done", { output_index: index, item });
  }

  #choose({ start, sign }: StreamedBlock, index: number): ItemForm {
    switch (start.type) {
      case "text":
        return this.#message(index);
      case "refusal":
        return this.#refusal(index);
      case "tool_use":
        return this.#call({ callId: start.id, name: start.name }, index);
      default:
        return this.#reasoning(index, sign);
    }
  }

  #id(prefix: string, index: number): string {
    return `${prefix}_${this.idStem}_${index}`;
  }

  /** Writes the deltas of a part, which differ in their text alone. */
  #toDeltas(type: string, place: object, end = ""): (delta: string) => string {
    const begin = JSON.stringify(place).slice(1, -1);
    return (delta) => this.write(type, () => `${begin},"delta":${JSON.stringify(delta)}${end}`);
  }

  #message(index: number): ItemForm {
    const id = this.#id("msg", index);
    const place = { item_id: id, output_index: index, content_index: 0 };
    const toPart = (text: string, logprobs: readonly unknown[]) => ({
      type: "output_text",
      text,
      annotations: [],
      logprobs,
    });
    const all: unknown[] = [];
    const plain = this.#toDeltas("response.output_text.delta", place, ',"logprobs":[]');
    return {
      begun: { id, type: "message", status: "in_progress", role: "assistant", content: [] },
      begin: () => this.write("response.content_part.added", { ...place, part: toPart("", []) }),
      fill: (delta) => {
        const logprobs = this.#logprobs;
        if (logprobs.length === 0) return plain(delta);
        this.#logprobs = [];
        all.push(...logprobs);
        return this.write("response.output_text.delta", { ...place, delta, logprobs });
      },
      end: (text) => {
        const part = toPart(text, all);
        const events =
          this.write("response.output_text.done", { ...place, text, logprobs: all }) +
          this.write("response.content_part.done", { ...place, part });
        return { events, fields: { content: [part] } };
      },
    };
  }

  #refusal(index: number): ItemForm {
    const id = this.#id("msg", index);
    const place = { item_id: id, output_index: index, content_index: 0 };
    const toPart = (refusal: string) => ({ type: "refusal", refusal });
    return {
      begun: { id, type: "message", status: "in_progress", role: "assistant", content: [] },
      begin: () => this.write("response.content_part.added", { ...place, part: toPart("") }),
      fill: this.#toDeltas("response.refusal.delta", place),
      end: (refusal) => ({
        events:
          this.write("response.refusal.done", { ...place, refusal }) +
          this.write("response.content_part.done", { ...place, part: toPart(refusal) }),
        fields: { content: [toPart(refusal)] },
      }),
    };
  }

  /** Thinking as its summary or as its text, with what its provider wants again where that is asked for. */
  #reasoning(index: number, sign: StreamedBlock["sign"]): ItemForm {
    const id = this.#id("rs", index);
    const [kind, list, place] = this.facts.showsSummary
      ? (["reasoning_summary", "summary", { summary_index: 0 }] as const)
      : (["reasoning", "content", { content_index: 0 }] as const);
    const at = { item_id: id, output_index: index, ...place };
    const isSummary = list === "summary";
    const partEvent = isSummary ? "response.reasoning_summary_part" : "response.content_part";
    const toPart = (text: string) => ({ type: isSummary ? "summary_text" : "reasoning_text", text });
    let isOpen = false;
    const fill = this.#toDeltas(`response.${kind}_text.delta`, at);
    return {
      begun: { id, type: "reasoning", status: "in_progress", summary: [] },
      begin: () => "",
      fill: (delta) => {
        const opened = isOpen ? "" : this.write(`${partEvent}.added`, { ...at, part: toPart("") });
        isOpen = true;
        return opened + fill(delta);
      },
      end: (text) => {
        const seal = sign?.();
        const sealed = seal ? { encrypted_content: seal } : {};
        const shown = this.facts.isSealShown ? sealed : {};
        if (!isOpen) return { events: "", fields: shown, sealed };
        const events =
          this.write(`response.${kind}_text.done`, { ...at, text }) +
          this.write(`${partEvent}.done`, { ...at, part: toPart(text) });
        return { events, fields: { [list]: [toPart(text)], ...shown }, sealed };
      },
    };
  }

  #call({ callId, name }: { callId: string; name: string }, index: number): ItemForm {
    const named = this.facts.tools[name] ?? { type: "function", name };
    if (named.type === "function") return this.#functionCall(named, callId, index);
    if (named.type === "custom") return this.#customCall(named, callId, index);
    return this.#machineCall(named, callId, index);
  }

  #functionCall({ name, namespace }: NamedTool, call_id: string, index: number): ItemForm {
    const id = this.#id("fc", index);
    const place = { item_id: id, output_index: index };
    const within = namespace === undefined ? {} : { namespace };
    const fill = this.#toDeltas("response.function_call_arguments.delta", place);
    return {
      begun: { id, type: "function_call", status: "in_progress", arguments: "", call_id, name, ...within },
      begin: () => "",
      fill,
      end: (json) => {
        // Clients parse arguments, and some servers write none where a function takes none.
        const whole = json.trim() === "" ? "{}" : json;
        const events =
          (whole === json ? "" : fill(whole)) +
          this.write("response.function_call_arguments.done", { ...place, name, arguments: whole });
        return { events, fields: { arguments: whole } };
      },
    };
  }

  /** The text of a custom tool is an argument, which is told once it is whole. */
  #customCall({ name, namespace }: NamedTool, call_id: string, index: number): ItemForm {
    const id = this.#id("ctc", index);
    const place = { item_id: id, output_index: index };
    const within = namespace === undefined ? {} : { namespace };
    return {
      begun: { id, type: "custom_tool_call", status: "in_progress", call_id, name, input: "", ...within },
      begin: () => "",
      fill: () => "",
      end: (json) => {
        const input = readInput(json);
        const events =
          this.write("response.custom_tool_call_input.delta", { ...place, delta: input }) +
          this.write("response.custom_tool_call_input.done", { ...place, input });
        return { events, fields: { input } };
      },
    };
  }

  #machineCall({ type }: NamedTool, call_id: string, index: number): ItemForm {
    const prefixes: Readonly<Record<string, string>> = {
      local_shell: "lsh",
      shell: "sh",
      apply_patch: "apc",
    };
    const id = this.#id(prefixes[type] ?? "call", index);
    const toFields = (given: Fields): Fields => {
      if (type === "apply_patch") return { operation: given };
      if (type === "local_shell") return { action: { type: "exec", command: [], env: {}, ...given } };
      return { action: { commands: [], timeout_ms: null, max_output_length: null, ...given } };
    };
    return {
      begun: { id, type: `${type}_call`, status: "in_progress", call_id, ...toFields({}) },
      begin: () => "",
      fill: () => "",
      end: (json) => ({ events: "", fields: toFields(readObject(json)) }),
    };
  }
}

function readObject(json: string): Fields {
  try {
    const value: unknown = parseBounded(json || "{}");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The text of a custom tool; what isn't in the form that was asked for is taken as the text. */
function readInput(json: string): string {
  const { input } = readObject(json);
  return typeof input === "string" ? input : json;
}
