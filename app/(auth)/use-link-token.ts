"use client";

import { useEffect, useState } from "react";

/**
 * Returns the token of the link that opened the page: `undefined` until the script has run, null if there is none. The
 * token is in the fragment, so that no server logs it, and is removed from the address bar at once.
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const readToken = () => {
      const found = new URLSearchParams(window.location.hash.slice(1)).get("token");
      if (found) {
        const { pathname, search } = window.location;
        window.history.replaceState(window.history.state, "", pathname + search);
      }
      // React runs effects twice in development. The second run finds no token.
      setToken((known) => found || known || null);
    };
    readToken();
    window.addEventListener("hashchange", readToken);
    return () => window.removeEventListener("hashchange", readToken);
  }, []);
  return token;
}
