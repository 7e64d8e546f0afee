"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isUnsavedInDialog } from "@/components/form/unsaved";

// With less than half a minute, a hydrated query would be refetched on arrival.
const STALE_TIME_MS = 30_000;

/**
 * A query cache that ends with its children. The console's ends with the session, so that the next person in this tab can't see
 * it.
 */
export function SessionQueryCache({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: STALE_TIME_MS,
            retry: 1,
            // A list without the object of an open dialog would take away what was typed in it.
            refetchOnWindowFocus: () => !isUnsavedInDialog(),
          },
        },
      }),
  );
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
