"use client";

import { CircleX, Download } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { encode } from "uqr";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { ScriptForm } from "@/components/ui/script-form";
import { CopyButton } from "@/components/ui/text/copy-button";
import { downloadFile } from "@/components/ui/text/download-file";
import type { TwoFactorDraft } from "@/lib/contract/operations/sign-in/two-factor";

type AppStepProps = {
  draft: TwoFactorDraft;
  email: string;
  close: () => void;
  proceed: () => void;
  children: ReactNode;
};

/** Shows the secret for the app and the backup codes. Continues once the codes have been saved. */
export function AppStep({ draft, email, close, proceed, children }: AppStepProps) {
  const id = useId();
  const [isKept, setIsKept] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const isMissing = wasRefused && !isKept;

  function goOn(event: FormEvent) {
    event.preventDefault();
    if (isKept) return proceed();
    setWasRefused(true);
    document.getElementById(id)?.focus();
  }
  return (
    <Dialog
      open
      position="wide"
      onClose={close}
      title="Add it to your app, and save the backup codes"
      description="Step 2 of 3. Neither can be shown again."
      footer={
        <Button type="submit" form={`${id}-form`} variant="primary">
          Continue
        </Button>
      }
    >
      <ScriptForm id={`${id}-form`} onSubmit={goOn} className="grid gap-6">
        <AppEntry uri={draft.otpauth_uri} />
        <BackupCodes codes={draft.backup_codes} email={email} />
        <div className="grid gap-1.5">
          <label
            htmlFor={id}
            className="flex w-fit cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11"
          >
            <Checkbox
              id={id}
              checked={isKept}
              aria-invalid={isMissing ? true : undefined}
              aria-describedby={isMissing ? `${id}-error` : undefined}
              onChange={(event) => setIsKept(event.target.checked)}
            />
            I have saved them
          </label>
          {isMissing && (
            <p
              id={`${id}-error`}
              ref={scrollIntoSight}
              className="flex scroll-m-5 items-start gap-1.5 text-sm text-danger"
            >
              <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
              Save the backup codes first: without the app, they are the only way to sign in.
            </p>
          )}
        </div>
      </ScriptForm>
      {children}
    </Dialog>
  );
}

function scrollIntoSight(element: Element | null) {
  element?.scrollIntoView({ block: "nearest" });
}

function AppEntry({ uri }: { uri: string }) {
  const heading = useId();
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <section aria-labelledby={heading} className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <QrCode text={uri} label="QR code for the authenticator app" />
      <div className="grid flex-1 basis-64 gap-2">
        <h3 id={heading} className="font-medium">
          Scan this with the app
        </h3>
        <p className="text-muted">
          Where you can’t scan, add an entry by hand: time-based, six digits, with this secret.
        </p>
        <div className="flex items-start gap-1">
          <code className="font-mono text-sm">{secret.match(/.{1,4}/g)?.join(" ")}</code>
          <CopyButton text={secret} what="secret" />
        </div>
      </div>
    </section>
  );
}

/** The quiet zone that readers need around a code, in modules (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

type QrCodeProps = { text: string; label: string };

/** Black on white in every theme, including the quiet zone, because readers need that. */
function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-md border forced-color-adjust-none"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={drawModules(data)} />
    </svg>
  );
}

type BackupCodesProps = { codes: readonly string[]; email: string };

/** Codes for signing in without the app, with buttons to copy and download them. */
function BackupCodes({ codes, email }: BackupCodesProps) {
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

/** Converts a code's dark modules into an SVG path of one unit per module. */
export function drawModules(modules: readonly (readonly boolean[])[]): string {
  return modules
    .map((row, y) => findRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
    .flat()
    .join("");
}

/** Returns runs of adjacent dark modules as start and length. */
function findRuns(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
