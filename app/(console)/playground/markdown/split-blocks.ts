/** A part of a Markdown text that can be parsed on its own. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A fenced code block, possibly not closed yet. */
  | { readonly kind: "code"; readonly language: string; readonly text: string };

/** The lookaheads prevent backtracking, which would take minutes for a line of 4,000 tildes. */
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[ \t]*([^`\s]*)/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)(?:\s|$)/;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:\s*\S/;

/**
 * Splits Markdown around fenced code and at blank lines that end a block. While text is appended, only the last block
 * changes, so that a streaming answer isn't parsed again for every token. Never splits where that would change the
 * meaning, as within a list.
 */
export function splitBlocks(markdown: string): Block[] {
  const { blocks, definitions } = scan(markdown);
  return definitions.length === 0 ? blocks : withDefinitions(blocks, definitions.join("\n"));
}

/** Splits a growing text, each time only from its last block on. The result is that of `splitBlocks`. */
export class GrowingBlocks {
  #markdown = "";
  #blocks: readonly Block[] = [];
  /** Where the last block begins. Null while there is nothing to go on from. */
  #lastStart: number | null = null;

  split(markdown: string): readonly Block[] {
    if (markdown === this.#markdown) return this.#blocks;
    const start = markdown.startsWith(this.#markdown) ? this.#lastStart : null;
    const { blocks, definitions, lastStart } = scan(start === null ? markdown : markdown.slice(start));
    const isLinked = definitions.length > 0;
    this.#markdown = markdown;
    if (isLinked) this.#blocks = splitBlocks(markdown);
    else this.#blocks = start === null ? blocks : [...this.#blocks.slice(0, -1), ...blocks];
    // A definition concerns all blocks.
    this.#lastStart = isLinked || lastStart === null ? null : (start ?? 0) + lastStart;
    return this.#blocks;
  }
}

function scan(markdown: string) {
  const blocks: Block[] = [];
  const definitions: string[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string } | null = null;
  let lastStart: number | null = null;
  let begin = 0;
  let at = 0;

  const end = (block: Block) => {
    blocks.push(block);
    lastStart = begin;
    lines = [];
  };
  const endText = () => {
    const text = lines.join("\n").trimEnd();
    if (text !== "") end({ kind: "text", text });
    lines = [];
  };
  for (const line of markdown.split("\n")) {
    const lineStart = at;
    at += line.length + 1;
    if (fence) {
      if (!closes(line, fence.mark)) {
        lines.push(line);
        continue;
      }
      end({ kind: "code", language: fence.language, text: lines.join("\n") });
      fence = null;
      continue;
    }
    const [opening = "", mark, language = ""] = FENCE.exec(line) ?? [];
    if (mark && !line.includes("`", opening.length) && !(isIndented(line) && lines.length > 0)) {
      endText();
      fence = { mark, language };
      begin = lineStart;
      continue;
    }
    if (DEFINITION.test(line)) definitions.push(line);
    if (startsBlock(line, lines)) endText();
    if (lines.length === 0) begin = lineStart;
    lines.push(line);
  }
  if (fence) end({ kind: "code", language: fence.language, text: lines.join("\n") });
  else endText();
  return { blocks, definitions, lastStart };
}

function startsBlock(line: string, before: readonly string[]): boolean {
  if (line.trim() === "" || isIndented(line) || before.at(-1)?.trim() !== "") return false;
  const isInList = LIST_ITEM.test(before[0] ?? "");
  return !(isInList && LIST_ITEM.test(line));
}

function isIndented(line: string): boolean {
  return /^[ \t]/.test(line);
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? "").repeat(trimmed.length);
}

/** The maximum length of the definitions that are added to all blocks together. */
const MAX_ADDED_LENGTH = 100_000;

/**
 * `[text][name]` can refer to a definition `[name]: address` anywhere in the text. They are added only as long as they
 * fit: definitions of a megabyte in a thousand blocks would take a gigabyte.
 */
function withDefinitions(blocks: readonly Block[], definitions: string): Block[] {
  let left = MAX_ADDED_LENGTH;
  return blocks.map((block) => {
    if (block.kind === "code" || !block.text.includes("[") || definitions.length > left) return block;
    left -= definitions.length;
    return { kind: "text", text: `${block.text}\n\n${definitions}` };
  });
}
