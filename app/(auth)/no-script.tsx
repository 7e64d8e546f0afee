import { Notice } from "@/components/ui/notice";

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
