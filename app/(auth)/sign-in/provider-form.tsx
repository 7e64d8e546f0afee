"use client";

import { useActionState, useEffect } from "react";
import { Button } from "@/components/ui/button";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { RefusalNotice } from "../refusal-notice";
import { submitProvider } from "./actions";

/**
 * Single sign-on. The page's CSP doesn't let forms lead to other sites, so the reply has an address that the script
 * opens.
 */
export function ProviderForm({ name, next }: { name: string; next: string }) {
  const [reply, submit, isPending] = useActionState(submitProvider, null);
  const url = reply?.ok ? reply.data : null;
  useEffect(() => {
    if (url) window.location.assign(url);
  }, [url]);

  if (url) {
    return (
      <a href={url} className={composeButtonStyle("secondary")}>
        Go on to {name}
      </a>
    );
  }
  return (
    <form action={submit} className="grid gap-4">
      {reply && !reply.ok && <RefusalNotice refusal={reply} title="Not signed in" />}
      <input type="hidden" name="next" value={next} />
      <Button type="submit" pending={isPending} className="h-9">
        Continue with {name}
      </Button>
    </form>
  );
}
