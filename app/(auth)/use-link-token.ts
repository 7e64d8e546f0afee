"use client";

import { useEffect, useState } from "react";

/**
 * The token of the link by which one came: `undefined` until the page's script has looked, null where there is none.
 * It stands in the fragment, so that no server logs it, and leaves the address bar at once.
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const take = () => {
      const found = new URLSearchParams(window.location.hash.slice(1)).get("token");
      if (found) {
        const { pathname, search } = window.location;
        window.history.replaceState(window.history.state, "", pathname + search);
      }
      // React runs effects twice while developing: the second time finds nothing.
      setToken((known) => found || known || null);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return token;
}
