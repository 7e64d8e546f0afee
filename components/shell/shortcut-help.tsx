"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";

const ShortcutLists = loadOnClient(() => import("./shortcut-lists").then((file) => file.ShortcutLists));

/** Lists the keyboard shortcuts. Opened by `?` outside of text fields. */
export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const pathname = usePathname();
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
      {isOpen && <ShortcutLists pathname={pathname} />}
    </Dialog>
  );
}

export function KeyRepeatGuard() {
  useEffect(suppressKeyRepeats, []);
  return null;
}

/**
 * Suppresses repeats of a held Enter or Space once the focus has moved. The key may have closed a dialog or changed the
 * screen, and its repeats would otherwise submit the form that is focused now.
 */
function suppressKeyRepeats(): () => void {
  let begunOn: EventTarget | null = null;

  function hold(event: KeyboardEvent) {
    if (!event.repeat) {
      begunOn = event.target;
    } else if ((event.key === "Enter" || event.key === " ") && event.target !== begunOn) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }
  window.addEventListener("keydown", hold, { capture: true });
  return () => window.removeEventListener("keydown", hold, { capture: true });
}
