import { useId } from "react";
import { type MenuEntry, MenuItem } from "./menu-item";

export type MenuSection = { heading?: string; entries: readonly MenuEntry[] };

type MenuGroupProps = { section: MenuSection; divided: boolean; close: () => void };

export function MenuGroup({ section, divided, close }: MenuGroupProps) {
  const heading = useId();
  return (
    <div
      role="group"
      aria-labelledby={section.heading ? heading : undefined}
      className={divided ? "mt-1 border-t pt-1" : undefined}
    >
      {section.heading && (
        <div id={heading} className="px-2 py-1 text-xs text-muted">
          {section.heading}
        </div>
      )}
      {section.entries.map((entry) => (
        <MenuItem key={entry.id} entry={entry} close={close} />
      ))}
    </div>
  );
}
