import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatUtcTime } from "@/components/ui/time/describe-time";
import type { Calculation } from "./calculation";

const MAX_NAMED = 3;

type LinkedNoticeProps = { linked: NonNullable<Calculation["linked"]>; close: () => void };

/** Says when an opened link was made, and whether rates and prices have changed since. */
export function LinkedNotice({ linked: { at, changed }, close }: LinkedNoticeProps) {
  const named = changed.slice(0, MAX_NAMED).join(", ");
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  return (
    <div className="mb-6">
      <Notice
        tone={changed.length > 0 ? "near" : "neutral"}
        title={`Computed on ${formatUtcTime(at)}, beside today’s rates and prices`}
        actions={
          <Button size="small" onClick={close}>
            Show today’s only
          </Button>
        }
      >
        {changed.length > 0
          ? `Since then rate or price changed for ${named}${more}.`
          : "No rate or price has changed since then."}
      </Notice>
    </div>
  );
}
