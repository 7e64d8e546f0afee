"use client";

import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../button";
import { classNames } from "../class-names";
import { IconButton } from "../icon-button";
import { copyOutcomes, copyText } from "./copy-text";

const SHOWN_FOR_MS = 2000;
type Outcome = "copied" | "refused" | undefined;

type CopyButtonProps = {
  text: string;
  /** The content to copy: "key", "request id". */
  what: string;
  /** Shows a text label; otherwise only an icon. */
  hasLabel?: boolean;
  className?: string;
  onCopied?: () => void;
};

/** Copies the text and confirms it on the button and to assistive technology. */
export function CopyButton({ text, what, hasLabel = false, className, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>();

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? "copied" : "refused");
    if (isCopied) onCopied?.();
  }
  const icon =
    outcome === "copied" ? (
      <Check className="text-success" />
    ) : outcome ? (
      <X className="text-danger" />
    ) : (
      <Copy />
    );

  return (
    <span className={classNames("inline-flex", className)}>
      {hasLabel ? (
        <Button onClick={copy}>
          {icon}
          <span className="grid text-left *:[grid-area:1/1]">
            <span className={outcome === "copied" ? "invisible" : undefined}>Copy {what}</span>
            {outcome === "copied" && <span>Copied</span>}
          </span>
        </Button>
      ) : (
        <IconButton size="small" label={`Copy ${what}`} icon={icon} onClick={copy} />
      )}
      <span role="status" className="sr-only">
        {outcome && copyOutcomes[outcome]}
      </span>
    </span>
  );
}
