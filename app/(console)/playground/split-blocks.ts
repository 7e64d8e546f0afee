/** A part of a Markdown text that can be parsed without the rest of it. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A fenced block of code; one that is still being written has no end yet. */
  | { readonly kind: "code"; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)(?:\s|$)/;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:\s*\S/;

/**
 * Cuts Markdown where it may be cut: around fenced code, and at blank lines that end whatever stands before them. While text is
 * appended, all blocks but the last stay as they are, so that a streaming answer is not parsed anew with every word.
 * Where a cut could change the meaning (items of one list, indented lines) there is none.
 */
export function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const definitions: string[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string } | null = null;

  const endText = () => {
    const text = lines.join("\n").trimEnd();
    if (text !== "") blocks.push({ kind: "text", text });
    lines = [];
  };
  for (const line of markdown.split("\n")) {
    if (fence) {
      if (!closes(line, fence.mark)) {
        lines.push(line);
        continue;
      }
      blocks.push({ kind: "code", language: fence.language, text: lines.join("\n") });
      [lines, fence] = [[], null];
      continue;
    }
    const [, mark, language = ""] = FENCE.exec(line) ?? [];
    if (mark && !(isIndented(line) && lines.length > 0)) {
      endText();
      fence = { mark, language };
      continue;
    }
    if (DEFINITION.test(line)) definitions.push(line);
    if (startsBlock(line, lines)) endText();
    lines.push(line);
  }
  if (fence) blocks.push({ kind: "code", language: fence.language, text: lines.join("\n") });
  else endText();
  return definitions.length === 0 ? blocks : blocks.map((block) => withDefinitions(block, definitions));
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

/** `[text][name]` is a link wherever in the text `[name]: address` stands. */
function withDefinitions(block: Block, definitions: readonly string[]): Block {
  if (block.kind === "code" || !block.text.includes("[")) return block;
  return { kind: "text", text: `${block.text}\n\n${definitions.join("\n")}` };
}
