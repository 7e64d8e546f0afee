import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Money } from "@/components/ui/values/money";
import { Progress } from "@/components/ui/values/progress";
import { Quantity } from "@/components/ui/values/quantity";
import type { BatchPreview } from "@/lib/contract/operations/tasks/batches";

/** The estimated cost of a batch of a checked file, and its share of the day's batch input tokens. */
export function BatchEstimate({ name, preview }: { name: string; preview: BatchPreview }) {
  const { model, lines, input_tokens, currency, expected_charge, most_charge, limit, refusal } = preview;
  return (
    <section aria-label="Estimate" className="grid gap-4">
      {refusal === null ? (
        <Notice tone="good" title={`Every line of ${name} can be called`} />
      ) : (
        <Notice tone="bad" title="It can’t be created now" role="alert">
          {refusal.message}
        </Notice>
      )}
      <Facts>
        <Fact name="Model">
          <code className="font-mono text-sm wrap-anywhere">{model}</code>
        </Fact>
        <Fact name="Lines">
          <Quantity value={lines} />
        </Fact>
        <Fact name="Input tokens">
          ≈ <Quantity value={input_tokens} />
        </Fact>
        <Fact name="Cost">
          <Money amount={expected_charge} currency={currency} isApproximate />{" "}
          <span className="text-muted">
            with answers of the usual length, at most <Money amount={most_charge} currency={currency} />
          </span>
        </Fact>
      </Facts>
      {limit === null ? (
        <p className="text-sm text-muted">
          This project and model have no limit on batch input tokens per day.
        </p>
      ) : (
        <Progress
          label="Batch input tokens of the day, with this batch"
          done={limit.used + input_tokens}
          total={limit.max}
        />
      )}
    </section>
  );
}
