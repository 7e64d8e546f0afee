"use client";

import { startTransition, useActionState, useEffect } from "react";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { signInByLink } from "./actions";

type Reply = Awaited<ReturnType<typeof signInByLink>>;

/** Signs in with the one-time token of a link, which stands in the fragment so that no server ever logs it. */
export function LinkSignIn({ next }: { next: string }) {
  const [reply, enter, isPending] = useActionState<Reply | null, string>(
    (_, token) => signInByLink({ token, next }),
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
  if (!reply || reply.ok) return null;
  return (
    <Notice tone="bad" role="alert" title="The link did not sign you in">
      {reply.message}
    </Notice>
  );
}
