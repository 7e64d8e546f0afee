import type { ReactNode } from "react";
import type { PermissionDraft } from "./compare-draft";
import { PermissionContents } from "./permission-contents";

type RoleEditorProps = {
  draft: PermissionDraft;
  /** Name, description, and the list of permissions. */
  children: ReactNode;
  pane: ReactNode;
  /** The bar that saves. */
  footer: ReactNode;
};

/** A role's editor: contents, the list, and what saving changes, which stays in sight. */
export function RoleEditor({ draft, children, pane, footer }: RoleEditorProps) {
  return (
    <>
      <div className="grid border-t lg:grid-cols-[208px_minmax(0,1fr)] xl:grid-cols-[208px_minmax(0,1fr)_424px]">
        <div className="border-r max-lg:hidden">
          <div className="sticky top-(--top-bar) max-h-[calc(100dvh-var(--top-bar))] overflow-y-auto py-3 pr-2">
            <PermissionContents draft={draft} />
          </div>
        </div>
        <div className="min-w-0 px-0 pb-16 sm:px-5">{children}</div>
        <div className="border-l max-xl:col-span-full max-xl:border-t max-xl:border-l-0">
          <div className="overflow-y-auto py-4 xl:sticky xl:top-(--top-bar) xl:max-h-[calc(100dvh-var(--top-bar)-3.5rem)] xl:pl-5">
            {pane}
          </div>
        </div>
      </div>
      <div
        data-saves-at-right
        className="sticky bottom-0 z-20 bg-background max-sm:-mx-4 max-sm:px-4 xl:ml-auto xl:w-[404px]"
      >
        {footer}
      </div>
    </>
  );
}
