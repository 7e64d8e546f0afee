import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cache } from "react";

/** The pages of the guide in the order of its contents. Each is the file `app/guide/<page>.md`. */
export const guidePages = [
  "configuration",
  "signing-in",
  "providers",
  "calls",
  "limits",
  "money",
  "operating",
  "many-machines",
  "promises",
  "performance",
  "security",
  "asvs",
] as const;

export type GuidePage = (typeof guidePages)[number];

type GuideHeading = { level: number; text: string; anchor: string };

export function isGuidePage(name: string): name is GuidePage {
  return guidePages.some((page) => page === name);
}

/** Read once for each request. The console's programs run in the repository's folder. */
export const readGuidePage = cache((page: GuidePage) =>
  readFile(join(process.cwd(), "app", "guide", `${page}.md`), "utf8"),
);

/** The headings of a page; the first is its title. A line of code that begins with # isn't a heading. */
export function listHeadings(markdown: string): GuideHeading[] {
  const prose = markdown.replaceAll(/^```[^]*?^```/gm, "");
  return [...prose.matchAll(/^(#+) (.+)$/gm)].map(([, marks = "", heading = ""]) => {
    const text = heading.replaceAll("`", "");
    return { level: marks.length, text, anchor: anchorOf(text) };
  });
}

/** The anchor that code hosts give to a heading, so that a link leads to the same place there and here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}

/** The first paragraph below the title, without Markdown. */
export function readSummary(markdown: string): string {
  const [, paragraph = ""] = markdown.split("\n\n");
  return paragraph.replaceAll(/\[([^\]]+)\]\([^)]*\)|[`*]/g, "$1");
}
