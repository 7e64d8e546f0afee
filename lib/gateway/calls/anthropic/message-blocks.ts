import { parseBounded } from "../../http/json";

/** A block as its start event shows it, and the text of a tool call's input so far. */
export interface StreamedBlock {
  readonly start:
    | { readonly type: "text"; readonly text: "" }
    /** A refusal that is no text, which messages don't have. */
    | { readonly type: "refusal"; readonly refusal: "" }
    | { readonly type: "thinking"; readonly thinking: ""; readonly signature: "" }
    | { readonly type: "redacted_thinking"; readonly data: string }
    | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };
  text: string;
  /** The seal of a thinking block, asked for once no more of it can come. */
  readonly sign?: () => string;
}

/** Writes the events of one block in the protocol of the client. */
export interface BlockWriter {
  begin(block: StreamedBlock, index: number): string;
  fill(block: StreamedBlock, piece: string, index: number): string;
  close(block: StreamedBlock, index: number): string;
}

/**
 * Writes the blocks of a streamed answer one after another, as clients of messages and of responses expect them. Chat
 * completions may alternate between tool calls: what comes while an unfinished call is open waits for the end.
 */
export class MessageBlocks {
  #open: StreamedBlock | null = null;
  #index = 0;
  #waiting: StreamedBlock[] = [];
  readonly #finished = new Set<StreamedBlock>();

  constructor(private readonly writer: BlockWriter = anthropicBlocks) {}

  /** Whether an unfinished block will be signed when it ends. */
  get isSigning(): boolean {
    return this.#open?.sign !== undefined || this.#waiting.some(({ sign }) => sign);
  }

  /** @returns the resulting events as text. */
  add(block: StreamedBlock, piece: string): string {
    if (this.#finished.has(block)) return "";
    const isCall = block.start.type === "tool_use";
    if (block !== this.#open && this.#mustWait()) {
      if (!this.#waiting.includes(block)) this.#waiting.push(block);
      block.text += piece;
      return "";
    }
    if (isCall) block.text += piece;
    return this.#begin(block) + (piece && this.writer.fill(block, piece, this.#index));
  }

  /** Ends the open block and writes those that waited. @returns the resulting events as text. */
  end(): string {
    let events = this.#close();
    for (const block of this.#waiting) {
      events +=
        this.#begin(block) + (block.text && this.writer.fill(block, block.text, this.#index)) + this.#close();
    }
    this.#waiting = [];
    return events;
  }

  /** Once a block waits, the others do, too: so an input is parsed once for each call. */
  #mustWait(): boolean {
    if (this.#waiting.length > 0) return true;
    return this.#open?.start.type === "tool_use" && !isWhole(this.#open.text);
  }

  #begin(block: StreamedBlock): string {
    if (this.#open === block) return "";
    const events = this.#close();
    this.#open = block;
    return events + this.writer.begin(block, this.#index);
  }

  #close(): string {
    const block = this.#open;
    if (block === null) return "";
    if (block.start.type === "tool_use") this.#finished.add(block);
    this.#open = null;
    return this.writer.close(block, this.#index++);
  }
}

/** The events of Anthropic's streams. */
const anthropicBlocks: BlockWriter = {
  begin: ({ start }, index) => writeEvent("content_block_start", { index, content_block: start }),
  fill({ start: { type } }, piece, index) {
    const delta =
      type === "text"
        ? { type: "text_delta", text: piece }
        : type === "thinking"
          ? { type: "thinking_delta", thinking: piece }
          : { type: "input_json_delta", partial_json: piece };
    return writeEvent("content_block_delta", { index, delta });
  },
  close({ sign }, index) {
    const delta = sign && { type: "signature_delta", signature: sign() };
    const signature = delta ? writeEvent("content_block_delta", { index, delta }) : "";
    return signature + writeEvent("content_block_stop", { index });
  },
};

function isWhole(json: string): boolean {
  try {
    parseBounded(json);
    return true;
  } catch {
    return false;
  }
}

/** An event of Anthropic's streams. */
export function writeEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
