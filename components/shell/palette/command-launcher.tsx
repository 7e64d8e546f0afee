"use client";

import { Search } from "lucide-react";
import { type ComponentType, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { toast } from "../../ui/dialog/toast";
import { Kbd } from "../../ui/kbd";
import { useGoTo } from "../navigation/pending-screen";
import type { PaletteProps } from "./command-palette";
import { captureTyping, isPaletteShortcut, type TypedKeys } from "./palette-shortcut";

type InitialTyping = Pick<PaletteProps, "typed" | "isEntered">;
type LauncherProps = Omit<PaletteProps, "onClose" | "goTo" | keyof InitialTyping>;

const never = () => () => {};
const isApple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** Opens the command palette by button or Ctrl/Cmd K. Loads its code on first use. */
export function CommandLauncher(props: LauncherProps) {
  const { opened, open, close } = usePalette();
  const goTo = useGoTo();
  const onApple = useSyncExternalStore(never, isApple, () => false);

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        data-opens="palette"
        onClick={open}
        className="flex h-8 items-center gap-2 rounded-md text-muted hover:text-foreground max-sm:w-8 max-sm:justify-center max-sm:hover:bg-default sm:w-58 sm:border sm:border-field-border sm:bg-surface sm:px-2 pointer-coarse:h-11 max-sm:pointer-coarse:w-11"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="max-sm:sr-only">Search or jump to…</span>
        <span className="ml-auto flex gap-0.5 max-sm:hidden">
          <Kbd>{onApple ? "⌘" : "Ctrl"}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      {opened && <opened.Palette {...props} {...opened.typed} goTo={goTo} onClose={close} />}
    </>
  );
}

/** State of the palette. Buffers keys typed while its code is loading. */
function usePalette() {
  const [opened, setOpened] = useState<{ Palette: ComponentType<PaletteProps>; typed: InitialTyping } | null>(
    null,
  );
  const typing = useRef<ReturnType<typeof captureTyping> | null>(null);

  function endTyping(): InitialTyping | undefined {
    const typedKeys = typing.current?.release();
    typing.current = null;
    return typedKeys;
  }
  async function open(early?: TypedKeys) {
    if (typing.current || document.querySelector("dialog:modal")) return;
    const mine = captureTyping(endTyping, early);
    typing.current = mine;
    try {
      const { CommandPalette: Palette } = await import("./command-palette");
      if (typing.current !== mine) return;
      // Render synchronously, so that no key gets lost in between.
      flushSync(() => setOpened({ Palette, typed: mine.release() }));
      typing.current = null;
    } catch {
      endTyping();
      toast({ tone: "bad", message: "The search could not be loaded. Check the connection and try again." });
    }
  }
  const openNow = useEffectEvent((early?: TypedKeys) => void open(early));

  useEffect(() => {
    function openByKey(event: KeyboardEvent) {
      if (!isPaletteShortcut(event)) return;
      event.preventDefault();
      openNow();
    }
    const early = window.takeEarlyPalette?.();
    if (early) openNow(early);
    document.addEventListener("keydown", openByKey);
    return () => {
      document.removeEventListener("keydown", openByKey);
      typing.current?.release();
    };
  }, []);

  return { opened, open: () => void open(), close: () => setOpened(null) };
}
