"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Toaster } from "@/components/dialog/toaster";
import { RenderedAtContext } from "@/components/time/rendered-at";
import { SessionQueryCache } from "./queries/reads/session-query-cache";

type ProvidersProps = {
  nonce: string | undefined;
  /** Unix milliseconds. */
  renderedAt: number;
  children: ReactNode;
};

export function Providers({ nonce, renderedAt, children }: ProvidersProps) {
  return (
    <ThemeProvider
      attribute="class"
      enableColorScheme={false}
      disableTransitionOnChange
      {...(nonce === undefined ? {} : { nonce })}
    >
      <RenderedAtContext value={renderedAt}>
        <SessionQueryCache>{children}</SessionQueryCache>
      </RenderedAtContext>
      <Toaster />
    </ThemeProvider>
  );
}
