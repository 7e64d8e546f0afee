import type { ReactNode } from "react";
import { OrganizationMark, Wordmark } from "@/components/shell/logo";
import { Notice } from "@/components/ui/notice";

type SignedOutScreenProps = {
  title: string;
  sentence?: ReactNode;
  /** The logo of who invites; Gatehouse's without one. */
  logo?: string | null;
  children: ReactNode;
};

/** The frame of every screen that needs no sign-in. */
export function SignedOutScreen({ title, sentence, logo = null, children }: SignedOutScreenProps) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-[400px] gap-6">
        <header className="grid gap-4">
          {logo === null ? <Wordmark /> : <OrganizationMark logo={logo} className="size-10" />}
          <div className="grid gap-1">
            <h1 className="text-xl font-semibold">{title}</h1>
            {sentence && <p className="text-muted">{sentence}</p>}
          </div>
        </header>
        {children}
      </div>
    </main>
  );
}

/** Tells that the page needs a script, which alone can read the token of the link that opened it. */
export function NoScript() {
  return (
    <noscript>
      <Notice tone="near" title="This page needs JavaScript">
        The secret part of your link stays in the browser until you use it, and only a script can read it
        there.
      </Notice>
    </noscript>
  );
}
