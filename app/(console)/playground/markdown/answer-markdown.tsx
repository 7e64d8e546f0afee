"use client";

import { memo, type ReactNode, useDeferredValue, useState } from "react";
import Markdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { PlainText } from "@/app/(console)/playground/messages/answer";
import { CodeBlock } from "@/components/ui/text/code-block";
import { keepFootnotes } from "./keep-footnotes";

/**
 * Longer blocks stay plain text while they grow: parsing takes about 4 ms per 1,000 characters and happens in every
 * frame.
 */
const MAX_GROWING_LENGTH = 2_000;
const MAX_BLOCK_LENGTH = 8_000;
/** The blocks of a longer answer are parsed one after the other, so that the page stays usable meanwhile. */
const MAX_AT_ONCE = 4_000;

type AnswerMarkdownProps = {
  text: string;
  /** True while the answer is streaming. */
  isLive: boolean;
};

/**
 * Renders a model's answer as Markdown. The text is untrusted: HTML is shown as text, nothing is loaded automatically,
 * and only absolute links work, with their address shown. While text arrives, only the last block is parsed again.
 */
export function AnswerMarkdown({ text, isLive }: AnswerMarkdownProps) {
  const [growing] = useState(() => new GrowingBlocks());
  const blocks = growing.split(text);
  return (
    <div className="grid gap-3 leading-6 break-words">
      {blocks.map((block, index) => {
        const isGrowing = isLive && index === blocks.length - 1;
        const mostCharacters = isGrowing ? MAX_GROWING_LENGTH : MAX_BLOCK_LENGTH;
        const isAtOnce = isGrowing || text.length <= MAX_AT_ONCE;
        return <AnswerBlock key={index} {...block} {...{ mostCharacters, isAtOnce }} />;
      })}
    </div>
  );
}

type AnswerBlockProps = Block & {
  /** A longer block is shown as plain text. */
  mostCharacters: number;
  /** False if it is first shown as plain text, and parsed in a task of its own. */
  isAtOnce: boolean;
};

const AnswerBlock = memo(function AnswerBlock({ mostCharacters, isAtOnce, ...block }: AnswerBlockProps) {
  const isParsed = useDeferredValue(true, isAtOnce);
  if (block.kind === "code") return <Code code={block.text} language={block.language} />;
  if (!isParsed || isCostly(block.text, mostCharacters)) return <PlainText text={block.text} />;
  return (
    <Markdown remarkPlugins={plugins} components={components} urlTransform={fullAddress}>
      {block.text}
    </Markdown>
  );
});

const plugins: Options["remarkPlugins"] = [remarkGfm, keepFootnotes];

/** Accepts only absolute web and mail addresses. Others would lead into this console or run code. */
function fullAddress(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url) && URL.canParse(url) ? url : "";
}

function Code({ code, language }: { code: string; language: string }) {
  return (
    <figure className="min-w-0">
      {language && <figcaption className="mb-1 font-mono text-xs text-muted">{language}</figcaption>}
      <CodeBlock code={code} />
    </figure>
  );
}

/** Isolated from the direction of the text around it, which could show the address backwards. */
function Address({ href, children }: { href: string; children: ReactNode }) {
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="rounded-sm text-accent-text underline underline-offset-2"
      >
        <bdi>{children}</bdi>
      </a>
      {children !== href && <bdi className="text-sm break-all text-muted"> ({href})</bdi>}
    </>
  );
}

const Heading: Components["h1"] = ({ children }) => <h3 className="pt-1 font-semibold">{children}</h3>;

const components: Components = {
  a: ({ href, children }) => (href ? <Address href={href}>{children}</Address> : <span>{children}</span>),
  // Loading an image would tell its server who reads this and when.
  img: ({ src, alt }) => (
    <span className="text-sm text-muted">
      [image not loaded: {typeof src === "string" && src ? <Address href={src}>{alt || src}</Address> : alt}]
    </span>
  ),
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  ul: ({ children }) => <ul className="grid list-disc gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="grid list-decimal gap-1 pl-6">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="*:[p+p]:mt-2">{children}</li>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? "done" : "not done"}>
      {checked ? "☑" : "☐"}
    </span>
  ),
  blockquote: ({ children }) => <blockquote className="border-l-2 pl-3 text-muted">{children}</blockquote>,
  hr: () => <hr />,
  table: ({ children }) => (
    // A scrolling box must be reachable by keyboard. It isn't a landmark, since those need unique names.
    <div
      tabIndex={0}
      role="group"
      aria-label="Table in the answer"
      className="overflow-x-auto rounded-md border"
    >
      <table className="w-full border-collapse text-left">{children}</table>
    </div>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border-b bg-default-soft px-3 py-1.5 text-sm font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b px-3 py-1.5 in-[tr:last-child]:border-b-0">
      {children}
    </td>
  ),
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== "element") return null;
    const words = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
    const classes = code.properties.className;
    const language = Array.isArray(classes) ? String(classes[0]).replace("language-", "") : "";
    return <Code code={words.replace(/\n$/, "")} language={language} />;
  },
  code: ({ children }) => (
    <code className="rounded-sm bg-default px-1 py-0.5 font-mono text-[0.92em]">{children}</code>
  ),
};

/** Parsing takes time in proportion to the square of these marks: 6,000 in one block take a second. */
const MARKS = /[*_[\]~`]/g;
const MAX_MARKS = 1_500;
/** Each line can be a heading or an item of a list. */
const MAX_LINES = 400;
/** A row of two characters has as many cells as the table has columns. */
const MAX_CELLS = 1_500;
/** A line of 30 quotes or lists in each other. The parser and the renderer call themselves for each. */
const DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){30}/m;
/** The line below the head of a table, also in a quote or a list. */
const DELIMITERS = /^[>\s|:-]*$/;

/** Returns whether a block of Markdown takes so long to parse or to show that it is better shown as it is. */
function isCostly(text: string, mostCharacters: number): boolean {
  if (text.length > mostCharacters || (text.match(MARKS)?.length ?? 0) > MAX_MARKS) return true;
  const lines = text.split(/\r\n|[\r\n]/);
  return lines.length > MAX_LINES || DEEP.test(text) || countCells(lines) > MAX_CELLS;
}

/** The most cells that a table in these lines can have. */
function countCells(lines: readonly string[]): number {
  let most = 0;
  for (const [index, line] of lines.entries()) {
    if (index === 0 || !DELIMITERS.test(line) || !line.includes("-")) continue;
    most = Math.max(most, line.split("|").length * (lines.length - index));
  }
  return most;
}

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
