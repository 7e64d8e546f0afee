import type { Element } from "hast";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { anchorOf, isGuidePage, listHeadings, readGuidePage } from "@/lib/console/guide";
import { paths } from "@/lib/console/paths";
import { GuideFrame } from "../guide-frame";

type Params = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { page } = await params;
  if (!isGuidePage(page)) return {};
  return { title: `${listHeadings(await readGuidePage(page))[0]?.text} · Guide` };
}

export default async function GuidePageScreen({ params }: Params) {
  const { page } = await params;
  if (!isGuidePage(page)) notFound();
  return (
    <GuideFrame current={page}>
      <GuideMarkdown text={await readGuidePage(page)} />
    </GuideFrame>
  );
}

/** Renders a page of the guide on the server. */
function GuideMarkdown({ text }: { text: string }) {
  return (
    <article className="grid gap-4 leading-6 wrap-anywhere">
      <Markdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </Markdown>
    </article>
  );
}

/** What a code host shows for `./limits.md#windows` is `/guide/limits#windows` here; null if it is no page. */
function findAddress(href: string): string | null {
  if (/^(https:\/\/|#|\/)/.test(href)) return href;
  const [, page, anchor = ""] = /^\.\/([a-z-]+)\.md(#.+)?$/.exec(href) ?? [];
  return page === undefined ? null : `${paths.guide(page)}${anchor}`;
}

function readText(node: Element | undefined): string {
  return (node?.children ?? [])
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? readText(child) : ""))
    .join("");
}

type HeadingProps = { node?: Element | undefined; children?: ReactNode };

function Heading2({ node, children }: HeadingProps) {
  return (
    <h2 id={anchorOf(readText(node))} className="mt-4 scroll-mt-6 text-lg font-semibold">
      {children}
    </h2>
  );
}

function Heading3({ node, children }: HeadingProps) {
  return (
    <h3 id={anchorOf(readText(node))} className="mt-2 scroll-mt-6 font-semibold">
      {children}
    </h3>
  );
}

const components: Components = {
  h1: ({ node, children }) => (
    <h1 id={anchorOf(readText(node))} className="text-2xl font-semibold tracking-tight">
      {children}
    </h1>
  ),
  h2: Heading2,
  h3: Heading3,
  p: ({ children }) => <p className="max-w-3xl">{children}</p>,
  a: ({ href = "", children }) => {
    const address = findAddress(href);
    // Files of the repository are not served.
    if (address === null) return <span>{children}</span>;
    return (
      <a href={address} className="rounded-sm text-accent-text underline underline-offset-2">
        {children}
      </a>
    );
  },
  ul: ({ children }) => <ul className="grid max-w-3xl list-disc gap-1.5 pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="grid max-w-3xl list-decimal gap-1.5 pl-6">{children}</ol>,
  table: ({ node, children }) => (
    // A box that scrolls must be reachable by keyboard.
    <div
      tabIndex={0}
      role="group"
      aria-label={`Table: ${nameTable(node)}`}
      className="overflow-x-auto rounded-md border bg-surface"
    >
      <table className="w-full min-w-[560px] border-collapse text-left wrap-normal">{children}</table>
    </div>
  ),
  th: ({ children }) => (
    <th className="border-b bg-default-soft px-3 py-1.5 text-sm font-medium">{children}</th>
  ),
  td: ({ children }) => (
    <td className="border-b px-3 py-1.5 align-top wrap-break-word [&_code]:wrap-break-word in-[tr:last-child]:border-b-0">
      {children}
    </td>
  ),
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="overflow-x-auto rounded-md border bg-surface p-3 font-mono text-sm leading-5 *:bg-transparent *:p-0"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded-sm bg-default px-1 py-0.5 font-mono text-[0.92em]">{children}</code>
  ),
};

/** By its column heads. */
function nameTable(table: Element | undefined): string {
  const head = table?.children.find((child) => child.type === "element");
  const row = head?.type === "element" ? head.children.find((child) => child.type === "element") : undefined;
  const cells = row?.type === "element" ? row.children.filter((child) => child.type === "element") : [];
  return cells.map((cell) => readText(cell)).join(", ");
}
