"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { TextLink } from "@/components/ui/links/text-link";

/**
 * Navigates on at once. Not a server redirect, which would keep the fragment with a sign-in link's token in the
 * address.
 */
export function SignedInAlready({ next }: { next: string }) {
  const router = useRouter();
  useEffect(() => router.replace(next), [router, next]);
  return (
    <p>
      You are signed in. <TextLink href={next}>Continue to the console</TextLink>
    </p>
  );
}
