"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Status } from "@/components/ui/status";
import { CopyButton } from "@/components/ui/text/copy-button";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";

/** The line is as high as its button: what stands below must not move under a finger once the log is verified. */
const LINE = "flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted pointer-coarse:min-h-11";

/** Shows whether the log is intact. The gateway verifies its hash chain. */
export function ChainState() {
  const { data, error } = useRead("verifyAuditLogs");
  if (!data) {
    return (
      <div className={LINE}>
        <Status tone="neutral">
          {error ? "The hash chain was not verified" : "Verifying the hash chain…"}
        </Status>
      </div>
    );
  }
  const { length, hash, fault } = data;
  if (fault) {
    return (
      <Notice tone="bad" role="alert" title={`${fault.message}.`}>
        The database was changed outside of Gatehouse. Compare it with a backup.{" "}
        {fault.audit_log_id && <TextLink href={paths.auditLog(fault.audit_log_id)}>View event</TextLink>}
      </Notice>
    );
  }
  return (
    <div className={LINE}>
      <Status tone="good">Verified to event {formatCount(length)}</Status>
      <span className="inline-flex items-center gap-0.5">
        head <code className="font-mono">{hash.slice(0, 12)}…</code>
        <CopyButton text={`${length}:${hash}`} what="head" />
      </span>
    </div>
  );
}
