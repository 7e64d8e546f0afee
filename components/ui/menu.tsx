"use client";

import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { floatBeside } from "./float-beside";
import { type MenuEntry, MenuItem } from "./menu-item";
import type { Align, Side } from "./place-beside";
import { menuItems, useMenuKeys } from "./use-menu";

export type MenuSection = { heading?: string; entries: readonly MenuEntry[] };

type MenuProps = {
  /** The accessible name of the button, where its content does not say what it opens. */
  label?: string;
  /** What the button shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Shown above the entries: whose menu it is. */
  head?: ReactNode;
  sections: readonly MenuSection[];
  side?: Side;
  align?: Align;
  disabled?: boolean;
};

/** A button and its menu, after the ARIA menu button pattern. The browser's popover closes it on Escape or a click elsewhere. */
export function Menu(props: MenuProps) {
  const {
    label,
    trigger,
    triggerClassName,
    head,
    sections,
    side = "bottom",
    align = "start",
    disabled,
  } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const moveFocus = useMenuKeys(menu);

  function show(focus: "first" | "last") {
    if (!button.current || !menu.current) return;
    // The entries exist only while the menu is open, and must be there to be measured.
    flushSync(() => setOpen(true));
    floatBeside(button.current, menu.current, side, align);
    const items = menuItems(menu.current);
    const checked = items.find((item) => item.ariaChecked === "true");
    (checked ?? items.at(focus === "first" ? 0 : -1))?.focus();
  }
  function openByArrow(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show(event.key === "ArrowDown" ? "first" : "last");
  }
  function close() {
    menu.current?.hidePopover();
    button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        // As the menu's invoker, a second press closes it instead of opening it again.
        popoverTarget={id}
        onClick={(event) => {
          event.preventDefault();
          if (open) close();
          else show("first");
        }}
        onKeyDown={openByArrow}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={(event: ToggleEvent<HTMLDivElement>) => setOpen(event.newState === "open")}
        onKeyDown={moveFocus}
        className="fixed inset-auto m-0 max-h-[min(420px,80vh)] min-w-52 max-w-80 overflow-y-auto rounded-md border bg-overlay p-1 text-base text-overlay-foreground shadow-overlay"
      >
        {head && <div className="border-b px-2 pt-1 pb-2">{head}</div>}
        <div role="menu" aria-labelledby={`${id}-button`}>
          {open &&
            sections.map((section, index) => (
              <MenuGroup key={section.heading ?? index} section={section} divided={index > 0} close={close} />
            ))}
        </div>
      </div>
    </>
  );
}

function MenuGroup({
  section,
  divided,
  close,
}: {
  section: MenuSection;
  divided: boolean;
  close: () => void;
}) {
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
