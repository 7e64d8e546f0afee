"use client";

import { Square } from "lucide-react";
import { type MouseEvent, useEffectEvent, useLayoutEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

type StopButtonProps = {
  stop: (event: MouseEvent) => void;
  /** Called if the button had the focus when the answer ended. */
  onGone: () => void;
};

/** Placed next to Send, which it doesn't replace, so that a double click never sends. */
export function StopButton({ stop, onGone }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const goneWithFocus = useEffectEvent(onGone);

  // A layout effect is cleaned up before the element leaves the document and loses the focus.
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
