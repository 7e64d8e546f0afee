"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Toaster } from "@/components/ui/toaster";
import { SessionQueryCache } from "./queries/session-query-cache";

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="class"
      enableColorScheme={false}
      disableTransitionOnChange
      {...(nonce === undefined ? {} : { nonce })}
    >
      <SessionQueryCache>{children}</SessionQueryCache>
      <Toaster />
    </ThemeProvider>
  );
}
