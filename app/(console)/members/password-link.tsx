"use client";

import { useState } from "react";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { paths } from "@/lib/console/paths";
import type { User } from "@/lib/contract/operations/people/users";
import { makePasswordLink } from "./actions";

type PasswordLinkProps = {
  member: User;
  /** The origin at which people open this console; null means the current one. */
  consoleOrigin: string | null;
};

export function PasswordLink({ member: { id, name }, consoleOrigin }: PasswordLinkProps) {
  const [isOpen, setIsOpen] = useState(false);
  const make = useCreate(makePasswordLink);
  function close() {
    setIsOpen(false);
    make.reset();
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Create reset link</Button>
      {make.data ? (
        <ShownOnce
          title={`Password link for ${name}`}
          description="Share it only with them: anyone who opens it can sign in as them. It is shown only once."
          noun="link"
          text={`${consoleOrigin ?? window.location.origin}${paths.newPassword(make.data.token)}`}
          loss="It can’t be shown again; you can create another."
          close={close}
        >
          <p className="text-muted">
            It works once and expires in an hour: {formatExactTime(make.data.expires_at)}.
          </p>
        </ShownOnce>
      ) : (
        <ConfirmDialog
          open={isOpen}
          onClose={close}
          onConfirm={() => make.mutate({ userId: id })}
          title={`Create a link for ${name} to set a new password?`}
          confirmLabel="Create link"
          pending={make.isPending}
          error={make.error?.problem.message}
          danger={false}
        >
          The password stays as it is until the link is used; then all their sessions end. An earlier link
          stops working now.
        </ConfirmDialog>
      )}
    </>
  );
}
