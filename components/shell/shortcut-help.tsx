"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog } from "../ui/dialog/dialog";
import { loadOnClient } from "../ui/dialog/load-on-client";

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
