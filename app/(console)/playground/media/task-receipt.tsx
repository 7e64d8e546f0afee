import { describeRunTime } from "@/components/tasks/describe-task";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { describeUnits } from "@/components/ui/values/describe-units";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { Task } from "@/lib/contract/operations/tasks/task";

/** Shown below a task that has ended: what it cost, and where more is known. */
export function TaskReceipt({ task }: { task: Task }) {
  const { id, usage, request_id: requestId } = task;
  const taken = describeRunTime(task);
  return (
    <footer className="grid gap-1.5 border-t pt-2 text-sm">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <div className="flex items-baseline gap-1.5">
          <dt className="text-muted">Cost</dt>
          <dd>
            {usage ? (
              <>
                <Money amount={usage.amount} currency={usage.currency} />{" "}
                <span className="text-muted">for {describeUnits(String(usage.quantity), usage.unit)}</span>
              </>
            ) : (
              "Nothing was charged"
            )}
          </dd>
        </div>
        {taken !== null && (
          <div className="flex items-baseline gap-1.5">
            <dt className="text-muted">Duration</dt>
            <dd>{taken}</dd>
          </div>
        )}
      </dl>
      <div className="-ml-1 flex flex-wrap items-center gap-x-2">
        <IdChip id={id} what="task id" />
        <TextLink href={paths.request(requestId)}>Receipt</TextLink>
        <TextLink href={paths.task(id)}>Task</TextLink>
      </div>
    </footer>
  );
}
