"use client";

import { startTransition, useActionState, useEffect } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { signInByLink } from "./actions";

type Attempt = { token: string; reply: Awaited<ReturnType<typeof signInByLink>> };

/** Signs in with a link's one-time token. The token is in the fragment, so that no server logs it. */
export function LinkSignIn({ next }: { next: string }) {
  const [attempt, enter, isPending] = useActionState<Attempt | null, string>(
    async (_, token) => ({ token, reply: await signInByLink({ token, next }) }),
    null,
  );

  useEffect(() => {
    const takeToken = () => {
      const token = new URLSearchParams(window.location.hash.slice(1)).get("token");
      if (!token) return;
      window.history.replaceState(
        window.history.state,
        "",
        window.location.pathname + window.location.search,
      );
      startTransition(() => enter(token));
    };
    takeToken();
    window.addEventListener("hashchange", takeToken);
    return () => window.removeEventListener("hashchange", takeToken);
  }, [enter]);

  if (isPending) {
    return (
      <output className="flex items-center gap-2">
        <Spinner /> Signing in with your link…
      </output>
    );
  }
  if (!attempt || attempt.reply.ok) return null;
  const { token, reply } = attempt;
  // A refused link is spent. If the request never arrived, the link is still valid, but no longer in the address bar.
  const isSpent = reply.code === "invalid";
  return (
    <Notice
      tone="bad"
      role="alert"
      title="The link did not sign you in"
      actions={
        !isSpent && (
          <Button size="small" onClick={() => startTransition(() => enter(token))}>
            Try the link again
          </Button>
        )
      }
    >
      {reply.message}
    </Notice>
  );
}
