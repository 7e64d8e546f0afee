import { Check, type LucideIcon } from "lucide-react";
import Link from "next/link";
import { classNames } from "../class-names";

export type MenuEntry = {
  id: string;
  label: string;
  /** A second line in small type. */
  note?: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** Set on entries of a menu that selects one of them, or several. It stays open while several are selected. */
  choice?: { kind: "one" | "several"; isChosen: boolean };
} & ({ href: string; onSelect?: never } | { onSelect: () => void; href?: never });

const choiceRoles = { one: "menuitemradio", several: "menuitemcheckbox" } as const;

const style =
  "flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left pointer-coarse:min-h-11 " +
  "hover:bg-default focus:bg-default focus-visible:outline-offset-[-2px] aria-disabled:opacity-50";

export function MenuItem({ entry, close }: { entry: MenuEntry; close: () => void }) {
  const content = <MenuItemContent entry={entry} />;
  if (entry.href !== undefined) {
    return (
      <Link role="menuitem" href={entry.href} onClick={close} className={style}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      role={entry.choice ? choiceRoles[entry.choice.kind] : "menuitem"}
      aria-checked={entry.choice?.isChosen}
      aria-disabled={entry.disabled || undefined}
      onClick={() => {
        if (entry.disabled) return;
        if (entry.choice?.kind !== "several") close();
        entry.onSelect();
      }}
      className={classNames(style, entry.danger && "text-danger")}
    >
      {content}
    </button>
  );
}

function MenuItemContent({ entry }: { entry: MenuEntry }) {
  const Icon = entry.icon;
  return (
    <>
      {Icon && <Icon aria-hidden className={classNames("size-4 shrink-0", !entry.danger && "text-muted")} />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{entry.label}</span>
        {entry.note && <span className="block truncate text-xs text-muted">{entry.note}</span>}
      </span>
      {entry.choice && (
        <Check aria-hidden className={classNames("size-4 shrink-0", !entry.choice.isChosen && "invisible")} />
      )}
    </>
  );
}
