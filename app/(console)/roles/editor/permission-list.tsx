"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { leaveGroup } from "@/components/ui/fields/leave-group";
import { SearchBox } from "@/components/ui/search-box";
import type { PermissionDraft } from "./compare-draft";
import { findPermissions } from "./find-permissions";
import { buildSectionId } from "./permission-contents";
import { PermissionRows } from "./permission-rows";

type PermissionListProps = {
  draft: PermissionDraft;
  /** Beside the search: where to start from. */
  beside?: ReactNode;
  /** Keeps the search in sight while the page scrolls; a dialog scrolls by itself. */
  isSticky?: boolean;
};

/** All permissions in one list, by section and resource, with a search that understands questions. */
export function PermissionList({ draft, beside, isSticky = false }: PermissionListProps) {
  const id = useId();
  const [search, setSearch] = useState("");
  const box = useRef<HTMLInputElement | null>(null);
  useSlashKey(box);
  const found = findPermissions(draft.sections, search);
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-error`}>
      <legend className="sr-only">Permissions</legend>
      <div {...leaveGroup(draft.onLeave)} className="outline-none">
        <div
          className={`flex flex-wrap items-center gap-2 border-b bg-background py-3 ${isSticky ? "sticky top-(--top-bar) z-10" : ""}`}
        >
          <div className="min-w-48 flex-1">
            <SearchBox
              ref={(input) => {
                box.current = input;
                draft.setField(input);
              }}
              label="Search permissions"
              placeholder="Find a permission, “who can rotate keys”"
              text={search}
              setText={setSearch}
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            />
          </div>
          {beside}
        </div>
        <p id={`${id}-error`} className="text-sm text-danger empty:hidden" role="alert">
          {draft.error}
        </p>
        {found.map((section) => (
          <PermissionRows
            key={section.heading}
            id={buildSectionId(section.heading)}
            section={section}
            draft={draft}
          />
        ))}
        {found.length === 0 && (
          <p className="px-3 py-6 text-center text-muted">No permission is about “{search}”.</p>
        )}
      </div>
    </fieldset>
  );
}

/** A slash outside of a field goes to the search. */
function useSlashKey(box: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
    }
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [box]);
}
