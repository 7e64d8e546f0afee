"use client";

import type { ReactNode } from "react";
import { limitLabels } from "@/components/rate-limits/limit-fields";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import type { MediaEstimate } from "../media/estimate-media";
import { isUnasked, type PanePreview } from "./use-preview";

/** Shows what the gateway would do with the message in each pane, with the figures. Sends nothing. */
export function PreviewDialog({ previews, close }: { previews: readonly PanePreview[]; close: () => void }) {
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title="Before sending"
      description="What the gateway would do with this message now. Nothing was sent or charged."
    >
      <div className="grid gap-6">
        {previews.map((one, index) => (
          <section key={one.paneId} className="grid gap-3" aria-label={`Pane ${index + 1}: ${one.model}`}>
            <h3 className="font-mono text-sm font-medium">{one.model}</h3>
            <Verdict {...one} />
            {one.preview && <Figures preview={one.preview} />}
            {one.estimate && <Estimate {...one.estimate} />}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Estimate({ amount, currency, size }: MediaEstimate) {
  return (
    <p className="text-sm text-muted">
      {size}, which cost about <Money amount={amount} currency={currency} />. The gateway checks the limits
      when the call is sent.
    </p>
  );
}

function Verdict({ preview, problem, estimate }: PanePreview) {
  if (estimate) return null;
  if (problem && isUnasked({ problem })) {
    return (
      <Notice tone="near" title="The gateway couldn’t be asked">
        {problem.message} It is asked again every few seconds.
      </Notice>
    );
  }
  if (problem) {
    return (
      <Notice tone="bad" title="It would be refused">
        {problem.message}
      </Notice>
    );
  }
  if (preview?.refusal) {
    return (
      <Notice tone="bad" title={`It would be refused: ${describeRefusedCheck(preview.refusal)}`}>
        {preview.refusal.message}
      </Notice>
    );
  }
  return <Notice tone="good" title="It would be let through" />;
}

function describeRefusedCheck({ code, limit }: NonNullable<CallPreview["refusal"]>): string {
  if (limit) return (limitLabels as Record<string, string>)[limit.field] ?? limit.field;
  if (code === "spend_limit") return "spend limit";
  if (code === "circuit_open") return "circuit breaker";
  if (code === "concurrency") return "calls at once";
  return code === "insufficient_balance" ? "balance" : (code ?? "");
}

function Figures({ preview }: { preview: CallPreview }) {
  const { currency } = preview;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1 text-sm sm:grid-cols-4">
        {preview.prompt_tokens > 0 && (
          <>
            <PreviewFact name="Tokens in">≈ {count(preview.prompt_tokens)}</PreviewFact>
            <PreviewFact name="Max output tokens">{count(preview.max_output_tokens)}</PreviewFact>
          </>
        )}
        <PreviewFact name="Expected cost">
          <Money amount={preview.expected_charge} currency={currency} isApproximate />
        </PreviewFact>
        <PreviewFact name="Cost at most">
          <Money amount={preview.hold} currency={currency} />
        </PreviewFact>
      </dl>
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="text-left text-muted">
            <tr className="border-b">
              <th className="py-1.5 font-normal">Limit</th>
              <th className="py-1.5 text-right font-normal">Used</th>
              <th className="py-1.5 text-right font-normal">This call</th>
              <th className="py-1.5 text-right font-normal">Left after it</th>
            </tr>
          </thead>
          <tbody>
            {preview.limits.map(({ field, max, used, requested }) => {
              const left = max - used - requested;
              return (
                <tr key={field} className="border-b last:border-b-0">
                  <td className="py-1.5">{(limitLabels as Record<string, string>)[field] ?? field}</td>
                  <td className="py-1.5 text-right">
                    {count(used)} of {count(max)}
                  </td>
                  <td className="py-1.5 text-right">{count(requested)}</td>
                  <td className={`py-1.5 text-right ${left < 0 ? "text-danger" : ""}`}>
                    {left < 0 ? `${count(-left)} too many` : count(left)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

function PreviewFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function count(value: number): string {
  return formatCount(Math.round(value));
}
