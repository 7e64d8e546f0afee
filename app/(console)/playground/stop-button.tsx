"use client";

import { Square } from "lucide-react";
import { type MouseEvent, useEffectEvent, useLayoutEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

type StopButtonProps = {
  stop: (event: MouseEvent) => void;
  /** It had the focus when the answer ended. */
  onGone: () => void;
};

/** Beside Send, never in its place: whoever presses twice sends nothing. */
export function StopButton({ stop, onGone }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const goneWithFocus = useEffectEvent(onGone);

  // A layout effect is undone before the element leaves the document, and its focus with it.
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) goneWithFocus();
    };
  }, []);

  return (
    <Button ref={button} onClick={stop}>
      <Square />
      Stop
      <span className="pointer-coarse:hidden">
        <Kbd>Esc</Kbd>
      </span>
    </Button>
  );
}
