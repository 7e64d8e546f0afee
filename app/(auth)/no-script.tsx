import { Notice } from "@/components/ui/notice";

/** For pages opened with a link's token, which only a script can read. */
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
