"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { SessionQueryCache } from "@/components/queries/reads/session-query-cache";
import { Toaster } from "@/components/ui/dialog/toaster";
import { RenderedAtContext } from "@/components/ui/time/use-now";

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
