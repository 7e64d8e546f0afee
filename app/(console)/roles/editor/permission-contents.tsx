"use client";

import { useEffect, useState } from "react";
import { listNames, type PermissionSection } from "@/components/roles/permission-groups";
import { classNames } from "@/components/ui/class-names";
import { compareDraft, type PermissionDraft } from "./compare-draft";

/** The id of a section in the page. */
export const buildSectionId = (heading: string) =>
  `permissions-${heading.toLowerCase().replaceAll(/\W+/g, "-")}`;

/** The contents of the list: each section with how much of it is chosen, and a dot where something changes. */
export function PermissionContents({ draft }: { draft: PermissionDraft }) {
  const shown = useShownSection(draft.sections);
  const { gained, lost } = compareDraft(draft);
  const changed = new Set([...gained, ...lost]);
  return (
    <nav aria-label="Sections of permissions" className="text-sm">
      <p className="px-2.5 pb-2 text-xs text-muted">
        {draft.chosen.length} of {draft.total} permissions
      </p>
      <ul>
        {draft.sections.map((section) => {
          const names = listNames(section);
          const count = names.filter((name) => draft.chosen.includes(name)).length;
          const isShown = section.heading === shown;
          return (
            <li key={section.heading} className={section.endsGroup ? "mb-2.5" : undefined}>
              <button
                type="button"
                aria-current={isShown || undefined}
                onClick={() =>
                  document.getElementById(buildSectionId(section.heading))?.scrollIntoView({ block: "start" })
                }
                className={classNames(
                  "flex w-full items-center gap-1.5 rounded-md px-2.5 py-1 text-left whitespace-nowrap hover:bg-default-soft",
                  isShown && "bg-default font-semibold",
                  count === 0 && "text-muted",
                )}
              >
                {section.heading}
                {names.some((name) => changed.has(name)) && (
                  <span role="img" aria-label="changed" className="size-1.5 rounded-full bg-accent" />
                )}
                <span className="ml-auto text-xs font-normal text-muted tabular-nums">
                  {count === 0 ? "none" : `${count} of ${names.length}`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The heading of the section that is read: the last one that has begun above the upper third of the window. */
function useShownSection(sections: readonly PermissionSection[]): string | undefined {
  const [shown, setShown] = useState(sections[0]?.heading);
  const headings = sections.map(({ heading }) => heading).join("\n");
  useEffect(() => {
    const find = () => {
      const begun = headings.split("\n").filter((heading) => {
        const section = document.getElementById(buildSectionId(heading));
        return section && section.getBoundingClientRect().top < window.innerHeight / 3;
      });
      setShown(begun.at(-1) ?? headings.split("\n")[0]);
    };
    find();
    document.addEventListener("scroll", find, { passive: true });
    return () => document.removeEventListener("scroll", find);
  }, [headings]);
  return shown;
}
