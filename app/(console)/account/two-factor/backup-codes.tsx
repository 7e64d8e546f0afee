"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/text/copy-button";
import { downloadFile } from "@/components/ui/text/download-file";

type BackupCodesProps = { codes: readonly string[]; email: string };

/** Codes for signing in without the app, with buttons to copy and download them. */
export function BackupCodes({ codes, email }: BackupCodesProps) {
  return (
    <section aria-label="Backup codes" className="grid gap-2">
      <h3 className="font-medium">Backup codes</h3>
      <p className="text-muted">
        Each signs you in once without the app. Store them where you can find them without your phone.
      </p>
      <ul className="grid gap-x-6 gap-y-1 rounded-md border bg-background px-3 py-2.5 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="font-mono text-sm">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join("\n")} what="backup codes" hasLabel />
        <Button
          onClick={() =>
            downloadFile("gatehouse-backup-codes.txt", "text/plain", formatCodeFile(codes, email))
          }
        >
          <Download aria-hidden />
          Download backup codes
        </Button>
      </div>
    </section>
  );
}

function formatCodeFile(codes: readonly string[], email: string): string {
  const head = [`Backup codes of ${email} for ${window.location.origin}`, "Each signs in once.", ""];
  return [...head, ...codes, ""].join("\n");
}
