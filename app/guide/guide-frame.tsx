import type { ReactNode } from "react";
import { Wordmark } from "@/components/shell/logo";
import { classNames } from "@/components/ui/class-names";
import { type GuidePage, guidePages, listHeadings, readGuidePage } from "@/lib/console/guide";
import { paths } from "@/lib/console/paths";

/** The frame of the guide's pages. It needs no session, and its links are plain: none of it needs a script. */
export async function GuideFrame({ current, children }: { current?: GuidePage; children: ReactNode }) {
  const entries = await Promise.all(
    guidePages.map(async (page) => ({ page, title: listHeadings(await readGuidePage(page))[0]?.text })),
  );
  return (
    <div className="mx-auto max-w-[1120px] px-4 py-6 lg:grid lg:grid-cols-[200px_minmax(0,1fr)] lg:gap-x-12">
      <header className="mb-6 flex items-center justify-between lg:col-span-2">
        <a href={paths.guide()} className="rounded-sm" aria-label="Gatehouse guide">
          <Wordmark />
        </a>
        <a
          href={paths.overview()}
          className="rounded-sm text-accent-text underline-offset-2 hover:underline pointer-coarse:py-2.5"
        >
          Open the console
        </a>
      </header>
      <nav aria-label="Guide" className="mb-8 max-lg:border-b max-lg:pb-4 print:hidden">
        <ul className="flex flex-wrap gap-x-4 lg:sticky lg:top-6 lg:grid lg:gap-1">
          {entries.map(({ page, title }) => (
            <li key={page}>
              <a
                href={paths.guide(page)}
                aria-current={page === current ? "page" : undefined}
                className={classNames(
                  "block rounded-sm py-1 pointer-coarse:py-2.5",
                  page === current ? "font-medium text-foreground" : "text-muted hover:text-foreground",
                )}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="min-w-0">{children}</main>
    </div>
  );
}
