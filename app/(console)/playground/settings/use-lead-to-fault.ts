"use client";

import { useEffect, useState } from "react";

/** Returns a function that leads to the setting that kept a message from being sent, once it is shown. */
export function useLeadToFault(): () => void {
  const [refusals, countRefusal] = useState(0);
  useEffect(() => {
    if (refusals > 0) focusFaultySetting();
  }, [refusals]);
  return () => countRefusal((before) => before + 1);
}

/**
 * The field of the setting gets the focus, and the caret stands where its
 * JSON breaks, as far as the browser says where.
 */
function focusFaultySetting(): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'section[aria-label="Settings"] [aria-invalid="true"]',
  );
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: "center" });
  const fault = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
  const position = /position (\d+)/.exec(fault)?.[1];
  if (position !== undefined && field.tagName === "TEXTAREA")
    field.setSelectionRange(Number(position), Number(position) + 1);
}
