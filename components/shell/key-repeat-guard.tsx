"use client";

import { useEffect } from "react";

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
