import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { AnswerMarkdown } from "./answer-markdown";

function render(text: string): string {
  return renderToStaticMarkup(createElement(AnswerMarkdown, { text, isLive: false }));
}

test.each([
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "text <b onmouseover=alert(1)>bold</b>",
  "<style>*{background:url(//evil.example)}</style>",
])("HTML is shown as text: %s", (payload) => {
  const html = render(payload);
  expect(html).not.toMatch(/<(img|script|svg|iframe|b|style)\b/);
  expect(html).toContain("&lt;");
});

test.each([
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](/sign-out)",
  "[x](//evil.example)",
  "[x](vbscript:msgbox)",
  "[x][d]\n\n[d]: javascript:alert(1)",
])("no link leads into the console or runs: %s", (payload) => {
  expect(render(payload)).not.toContain("href");
});

test("a link shows its address and sends no referrer", () => {
  const html = render("[bank](https://evil.example/login)");
  expect(html).toContain('href="https://evil.example/login"');
  expect(html).toContain('rel="noopener noreferrer nofollow"');
  expect(html).toContain("(https://evil.example/login)");
});

test("an image is a link, never loaded", () => {
  const html = render("![cat](http://127.0.0.1:1/x.png?secret)");
  expect(html).not.toContain("<img");
  expect(html).toContain("<bdi>cat</bdi></a>");
});

test("preserves the text of a footnote", () => {
  expect(render("Said[^1] so.\n\n[^1]: By *whom*.")).toContain("[^1]: By <em>whom</em>.");
});

test("Markdown is rendered: lists keep their numbers, tables their cells, code its language", () => {
  const html = render("3. three\n\n4. four\n\n| a |\n| - |\n| 1 |\n\n- [x] done\n\n```ts\nlet a = `b`;\n```");
  expect(html).toContain('<ol start="3"');
  expect(html).toContain(">1</td>");
  expect(html).toContain('aria-label="done"');
  expect(html).toContain("ts</figcaption>");
  expect(html).toContain("let a = `b`;");
});

test("a block of marks that would take seconds to parse is shown as it is", () => {
  const marks = "*a_ ".repeat(2_900);
  const shown = render(marks).replaceAll('</span><span class="block">', " ");
  expect(shown).toContain(`>${marks.trim()}</span></p>`);
  expect(render("*a* _b_ ".repeat(300))).toContain("<em>a</em> <em>b</em>");
});

const table = (columns: number, rows: string) =>
  `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${rows}`;

test.each([
  ["5,000 quotes in each other", `${">".repeat(5_000)} x`],
  ["5,000 lists in each other", `${"- ".repeat(5_000)}x`],
  ["quotes in lists in quotes", `${"> 1. ".repeat(900)}x`],
  ["a table of 2,000 columns", table(2_000, "|b|")],
  ["a table of 1,000 columns whose rows have two characters", table(1_000, "|\n".repeat(300))],
  ["2,000 headings in one block", "a\n=\n".repeat(2_000)],
  ["one word of 100,000 characters", "x".repeat(100_000)],
])("what would freeze the page is shown as it is: %s", (_, text) => {
  const html = render(text);
  expect(html).not.toMatch(/<(blockquote|table|li|h3)\b/);
  expect(html.length).toBeLessThan(text.length * 5);
});

test("quotes, lists and tables of a size that people read are shown as such", () => {
  expect(render(`${">".repeat(20)} x`).match(/<blockquote/g)).toHaveLength(20);
  expect(render(table(10, `|${"b|".repeat(10)}\n`.repeat(100))).match(/<td/g)).toHaveLength(1_000);
  expect(render("- item\n".repeat(300)).match(/<li/g)).toHaveLength(300);
});

test("text that turns the direction around does not turn the address of a link", () => {
  expect(render("\u202E[bank](https://evil.example/)")).toContain("> (https://evil.example/)</bdi>");
});
