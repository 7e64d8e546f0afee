"use client";

import { useEffect, useState } from "react";
import { Dialog } from "../ui/dialog";
import { Kbd } from "../ui/kbd";

const shortcuts = [
  { keys: ["Ctrl or ⌘", "K"], does: "Search: screens, objects by name or id, and what to do" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Enter"], does: "Send the form, or open the row" },
  { keys: ["Esc"], does: "Close what is open; asks where something was typed" },
  { keys: ["↑", "↓"], does: "Choose in menus and in the search" },
];

/** The keyboard's shortcuts, by the key `?` wherever nobody is typing. */
export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    function openByKey(event: KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "?" || isTyping || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      setIsOpen(true);
    }
    document.addEventListener("keydown", openByKey);
    return () => document.removeEventListener("keydown", openByKey);
  }, []);
  return (
    <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-6 gap-y-2.5">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
