"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

// Below half a minute a hydrated query would be fetched a second time on arrival.
const STALE_TIME_MS = 30_000;

/** A place for reads that is forgotten with what is below: the console's ends with its session, so nobody who signs in next in this tab sees it. */
export function OwnReads({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: STALE_TIME_MS, retry: 1 } } }),
  );
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
