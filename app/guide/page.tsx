import type { Metadata } from "next";
import { guidePages, listHeadings, readGuidePage, readSummary } from "@/lib/console/guide";
import { paths } from "@/lib/console/paths";
import { GuideFrame } from "./guide-frame";

export const metadata: Metadata = { title: "Guide" };

export default async function GuideContents() {
  const entries = await Promise.all(
    guidePages.map(async (page) => {
      const markdown = await readGuidePage(page);
      return { page, title: listHeadings(markdown)[0]?.text, summary: readSummary(markdown) };
    }),
  );
  return (
    <GuideFrame>
      <h1 className="mb-4 text-2xl font-semibold tracking-tight">Guide</h1>
      <ul className="grid gap-4">
        {entries.map(({ page, title, summary }) => (
          <li key={page} className="max-w-3xl">
            <a href={paths.guide(page)} className="rounded-sm font-medium text-accent-text underline">
              {title}
            </a>
            <p className="mt-0.5 text-muted">{summary}</p>
          </li>
        ))}
      </ul>
    </GuideFrame>
  );
}
