"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { paths } from "@/lib/console/paths";
import { Dialog } from "../dialog/dialog";
import { Kbd } from "../ui/kbd";

const shortcuts = [
  { keys: ["Ctrl or ⌘", "K"], does: "Search screens, objects by name or id, and actions" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Enter"], does: "Send the form, or open the row" },
  { keys: ["Esc"], does: "Close what is open; asks if there is unsaved input" },
  { keys: ["↑", "↓"], does: "Choose in menus and in the search" },
];

/** Shortcuts of some screens. */
const screens = [
  {
    paths: [paths.requests(), paths.tasks(), paths.auditLogs(), paths.balance()],
    name: "In the panel beside the list",
    shortcuts: [
      { keys: ["J"], does: "Show the next row" },
      { keys: ["K"], does: "Show the previous row" },
    ],
  },
  {
    paths: [paths.playground()],
    name: "In the playground",
    shortcuts: [
      { keys: ["Enter"], does: "Send the message to every pane" },
      { keys: ["Shift", "Enter"], does: "Start a new line" },
      { keys: ["Esc"], does: "Stop the answers" },
      { keys: ["Alt", "N"], does: "Start a new conversation" },
      { keys: ["Alt", "P"], does: "Add a pane" },
      { keys: ["Alt", "Enter"], does: "Add the message without sending it" },
      { keys: ["Alt", "."], does: "Go to the next pane" },
      { keys: ["Alt", ","], does: "Go to the previous pane" },
      { keys: ["Alt", "S"], does: "Fold or show the settings" },
      { keys: ["←", "→"], does: "Move a divider that has the focus" },
    ],
  },
];

/** Lists the keyboard shortcuts. Opened by `?` outside of text fields. */
export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const pathname = usePathname();
  const own = screens.find((screen) => screen.paths.includes(pathname));
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
      <ShortcutList shortcuts={shortcuts} />
      {own && (
        <>
          <h3 className="mt-5 mb-2.5 font-medium">{own.name}</h3>
          <ShortcutList shortcuts={own.shortcuts} />
        </>
      )}
    </Dialog>
  );
}

function ShortcutList({ shortcuts: shownShortcuts }: { shortcuts: typeof shortcuts }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-6 gap-y-2.5">
      {shownShortcuts.map(({ keys, does }) => (
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
  );
}
