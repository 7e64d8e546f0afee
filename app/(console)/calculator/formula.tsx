import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";

/** The arithmetic as it stands, and a link that shows it again. */
export function Formula({ payment, rate, worth }: { payment: string; rate: string; worth: string }) {
  const isWhole = [payment, rate, worth].every((text) => /[0-9]/.test(text));
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3">
      <p role="status">
        {isWhole ? (
          <>
            <span className="font-medium">{payment}</span> ÷ {rate} ={" "}
            <span className="font-medium">{worth}</span>
          </>
        ) : (
          <span className="text-muted">worth = payment ÷ model rate</span>
        )}
      </p>
      <CopyButton text={typeof window === "undefined" ? "" : window.location.href} what="link" labelled />
    </Card>
  );
}
