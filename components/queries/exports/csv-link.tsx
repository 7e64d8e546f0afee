"use client";

import { Download } from "lucide-react";
import type { MouseEvent } from "react";
import { composeButtonStyle } from "@/components/ui/button";
import { downloadExport } from "./download-export";

/** Downloads the whole list as CSV from the address that streams it. */
export function CsvLink({ href }: { href: string }) {
  function download(event: MouseEvent) {
    event.preventDefault();
    void downloadExport(href);
  }
  return (
    // Without the script the browser downloads it, and can't say so if that is refused.
    <a href={href} download className={composeButtonStyle()} onClick={download}>
      <Download aria-hidden />
      Download CSV
    </a>
  );
}
