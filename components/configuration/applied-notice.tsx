"use client";

import { useEffect, useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { CopyButton } from "@/components/ui/text/copy-button";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { AppliedConfiguration } from "@/lib/contract/operations/configuration/configuration";
import { undoConfiguration } from "./actions";
import { ObjectName } from "./plan-view";

export function countApplied(count: number): string {
  if (count === 0) return "Noted as applied: nothing differed";
  return `${countNouns(count, "change")} applied`;
}

type AppliedNoticeProps = {
  applied: AppliedConfiguration;
  /** The origin at which people open this console; null means the current one. */
  consoleOrigin: string | null;
};

/** What was just applied, with its undo, and the links of those it invited. */
export function AppliedNotice({ applied, consoleOrigin }: AppliedNoticeProps) {
  const { invitations } = applied;
  return (
    <div className="grid gap-3">
      <MadeNotice applied={applied} />
      {invitations.length > 0 && (
        <InvitationLinks
          links={invitations.map(({ email, token }) => ({
            email,
            link: `${consoleOrigin ?? window.location.origin}${paths.invite(token)}`,
          }))}
        />
      )}
    </div>
  );
}

function MadeNotice({ applied }: Pick<AppliedNoticeProps, "applied">) {
  return (
    <Notice
      tone="good"
      role="status"
      title={countApplied(applied.changes.length)}
      actions={<UndoButton key={applied.id} id={applied.id} />}
    >
      It can be undone for 30 days. What somebody changes until then stays, and is named.
    </Notice>
  );
}

type Invitation = { email: string; link: string };

/** The links of new invitations, which can't be shown again. */
function InvitationLinks({ links }: { links: readonly Invitation[] }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (isCopied) return;
    const holdPage = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", holdPage);
    return () => window.removeEventListener("beforeunload", holdPage);
  }, [isCopied]);
  return (
    <Card flush>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2">
        <div className="min-w-48 flex-1">
          <h2 className="text-sm font-semibold">{countNouns(links.length, "invitation")}</h2>
          <p className="text-xs text-muted">
            Send each person their link: it is shown only once, works once and expires in seven days. If the
            gateway has a mail server, they have been emailed it too.
          </p>
        </div>
        <CopyButton
          text={links.map(({ email, link }) => `${email}\t${link}`).join("\n")}
          what="links"
          hasLabel
          onCopied={() => setIsCopied(true)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached by keyboard. */}
      <ul tabIndex={0} aria-label="Links of invitations" className="max-h-72 overflow-y-auto">
        {links.map(({ email, link }) => (
          <li key={email} className="border-t px-3.5 py-1.5 text-sm">
            <p className="wrap-anywhere">{email}</p>
            <code className="font-mono text-xs break-all text-muted">{link}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Undoes what was applied, and names what it left alone. */
export function UndoButton({ id }: { id: string }) {
  const undoing = useAction(undoConfiguration, { refetch: "all" });
  const { data, error } = undoing;
  if (data) {
    return (
      <div role="status" className="text-sm">
        <p>{countNouns(data.undone.length, "change")} undone.</p>
        {data.left.length > 0 && (
          <ul>
            {data.left.map(({ id: changed, path, reason }) => (
              <li key={changed}>
                <ObjectName path={path} /> stays: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    );
  }
  return (
    <>
      <Button pending={undoing.isPending} onClick={() => undoing.mutate({ id })}>
        Undo
      </Button>
      {error && <p className="text-sm text-danger">{error.problem.message}</p>}
    </>
  );
}
