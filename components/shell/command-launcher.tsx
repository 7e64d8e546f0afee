"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Kbd } from "../ui/kbd";
import type { PaletteProps } from "./command-palette";

const CommandPalette = dynamic(() => import("./command-palette").then((module) => module.CommandPalette), {
  ssr: false,
});

const never = () => () => {};
const isApple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** Opens the command palette: by the button or Ctrl/Cmd K. Its code is loaded the first time. */
export function CommandLauncher(props: Omit<PaletteProps, "onClose">) {
  const [open, setOpen] = useState(false);
  const onApple = useSyncExternalStore(never, isApple, () => false);

  useEffect(() => {
    function openByKey(event: KeyboardEvent) {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      if (!document.querySelector("dialog:modal")) setOpen(true);
    }
    document.addEventListener("keydown", openByKey);
    return () => document.removeEventListener("keydown", openByKey);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="flex h-8 items-center gap-2 rounded-md text-muted hover:text-foreground max-sm:w-8 max-sm:justify-center max-sm:hover:bg-default sm:w-52 sm:border sm:border-field-border sm:bg-surface sm:px-2 pointer-coarse:h-11 max-sm:pointer-coarse:w-11"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="max-sm:sr-only">Go to…</span>
        <span className="ml-auto flex gap-0.5 max-sm:hidden">
          <Kbd>{onApple ? "⌘" : "Ctrl"}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      {open && <CommandPalette {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
