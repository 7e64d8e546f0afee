"use client";

import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { afterUnsavedDialogs, isUnsavedInDialog } from "@/components/ui/dialog/unsaved";

// With less than half a minute, a hydrated query would be refetched on arrival.
const STALE_TIME_MS = 30_000;

// By default a form would learn in a later task that it is being sent, and a key pressed before that would change what
// was sent.
notifyManager.setScheduler(queueMicrotask);

/**
 * A query cache that ends with its children. The console gives it the session as its key, so that no other session sees
 * what was read in this one.
 */
export function SessionQueryCache({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

/**
 * A list without the object of an open dialog would take away what was typed in it, so it is read again after the
 * dialog.
 */
function createQueryClient(): QueryClient {
  const refetchStale = () => void queryClient.refetchQueries({ type: "active", stale: true });
  const refetchesNow = () => {
    if (!isUnsavedInDialog()) return true;
    afterUnsavedDialogs(refetchStale);
    return false;
  };
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        retry: 1,
        refetchOnWindowFocus: refetchesNow,
        refetchOnReconnect: refetchesNow,
      },
    },
  });
  return queryClient;
}
