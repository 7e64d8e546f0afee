"use client";

import { useEffect } from "react";
import { whenIdle } from "@/components/ui/browser/when-idle";
import { setOrganizationLook } from "@/components/ui/organization-look";
import { formatUtcMinute } from "@/components/ui/time/describe-time";
import { nowSeconds } from "@/components/ui/time/server-clock";
import type { ShellData } from "./shell-data";

/**
 * Names organization, screen, its subject if it has one, and time of printing at the foot of every printed page
 * (print.css).
 */
export function PrintFooter({ organization }: { organization: string }) {
  // A change while the browser prints may come too late for the first print of a page.
  useEffect(() => {
    const root = document.documentElement;
    const write = () => {
      const screen = document.title.replace(/ · Gatehouse$/, "");
      const printedAt = `${formatUtcMinute(nowSeconds())} UTC`;
      const { printSubject } = root.dataset;
      const words = [organization, screen, printSubject, `printed ${printedAt}`].filter(Boolean).join(" · ");
      root.style.setProperty("--print-footer", JSON.stringify(words));
    };
    // The browser computes the style of all elements anew for it, which must not delay the screen.
    let cancel = () => {};
    const writeSoon = () => {
      cancel();
      cancel = whenIdle(write);
    };
    write();
    const changes = new MutationObserver(writeSoon);
    changes.observe(document.head, { childList: true, subtree: true, characterData: true });
    changes.observe(root, { attributeFilter: ["data-print-subject"] });
    window.addEventListener("beforeprint", write);
    return () => {
      cancel();
      changes.disconnect();
      window.removeEventListener("beforeprint", write);
    };
  }, [organization]);
  return null;
}

/** Sets how dates and numbers are shown, before what is below it in the page is rendered. Renders nothing. */
export function ShownLook({ look }: Pick<ShellData, "look">) {
  setOrganizationLook(look);
  return null;
}
