"use client";

import { type ReactNode, useId } from "react";
import { contained } from "./contained";
import { MenuGroup, type MenuSection } from "./menu-group";
import type { Align, Side } from "./place-beside";
import { useMenu } from "./use-menu";

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
export function Menu({ label, trigger, triggerClassName, head, sections, ...options }: MenuProps) {
  const id = useId();
  const { side = "bottom", align = "start", disabled } = options;
  const { button, menu, open, close, onButtonClick, onButtonKeyDown, onMenuKeyDown, onToggle } = useMenu(
    side,
    align,
  );
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
        onClick={onButtonClick}
        onKeyDown={onButtonKeyDown}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        {...contained}
        onToggle={onToggle}
        onKeyDown={onMenuKeyDown}
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
