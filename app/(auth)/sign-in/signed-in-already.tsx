"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { TextLink } from "@/components/ui/text-link";

/**
 * Goes on at once. In the browser, not by a redirect: that would carry the token of a sign-in link along in the
 * fragment of the address.
 */
export function SignedInAlready({ next }: { next: string }) {
  const router = useRouter();
  useEffect(() => router.replace(next), [router, next]);
  return (
    <p>
      You are signed in. <TextLink href={next}>Go on to the console</TextLink>
    </p>
  );
}
