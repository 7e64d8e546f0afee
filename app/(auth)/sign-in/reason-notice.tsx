import { Notice } from "@/components/ui/notice";
import type { SignInReason } from "@/lib/console/paths";

type Words = { tone?: "good" | "bad"; title: string; text: string };

const words: Record<Exclude<SignInReason, "ended">, Words> = {
  "password-set": { tone: "good", title: "Password set", text: "Sign in with it." },
  denied: {
    tone: "bad",
    title: "Not signed in",
    text: "The sign-in was canceled at the provider. Try again, or sign in another way.",
  },
  lost: {
    tone: "bad",
    title: "Not signed in",
    text: "The single sign-on was started in another browser, or more than ten minutes ago. Start again here.",
  },
  unknown: {
    tone: "bad",
    title: "Not signed in",
    text: "The sign-in took too long, or no member or invitation has an address that the provider has verified. Try again, or ask an administrator for an invitation.",
  },
  "identity-link-first": {
    tone: "bad",
    title: "Link single sign-on first",
    text: "You are an Owner: sign in with your password, then link single sign-on under Account. It works from then on.",
  },
  "linked-to-another": {
    tone: "bad",
    title: "Not signed in",
    text: "This member is linked to another identity at the provider. Sign in with your password and unlink it under Account, or ask an administrator to.",
  },
  wait: {
    tone: "bad",
    title: "Too many attempts",
    text: "Too many single sign-ons from your network failed. Try again in a minute, or sign in another way.",
  },
  failed: {
    tone: "bad",
    title: "Not signed in",
    text: "The single sign-on could not be completed. Try again, or sign in another way.",
  },
};

type ReasonNoticeProps = {
  /** The `reason` parameter of the address, not validated. */
  reason: unknown;
  /** True if sign-in leads to a page other than the overview. */
  isElsewhere: boolean;
};

/** Explains why the person was sent to the sign-in screen. */
export function ReasonNotice({ reason, isElsewhere }: ReasonNoticeProps) {
  if (reason === "ended") {
    return (
      <Notice title="Your session has ended">
        {isElsewhere ? "Sign in to continue where you were." : "Sign in to continue."}
      </Notice>
    );
  }
  if (typeof reason !== "string" || !isKnown(reason)) return null;
  const { tone, title, text } = words[reason];
  return (
    <Notice {...(tone && { tone })} role={tone === "bad" ? "alert" : "status"} title={title}>
      {text}
    </Notice>
  );
}

function isKnown(reason: string): reason is keyof typeof words {
  return Object.hasOwn(words, reason);
}
