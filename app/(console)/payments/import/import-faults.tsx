import { Notice } from "@/components/ui/notice";
import type { PaymentFault } from "./read-payments";

const MAX_LISTED = 20;

/** What has to be mended in the file before anything can be recorded. */
export function ImportFaults({ faults }: { faults: readonly PaymentFault[] }) {
  const rest = faults.length - MAX_LISTED;
  return (
    <Notice
      tone="bad"
      role="status"
      title={`Nothing can be recorded yet: ${faults.length} ${faults.length === 1 ? "value" : "values"} can’t be read`}
    >
      <ul className="grid gap-1">
        {faults.slice(0, MAX_LISTED).map(({ line, column, message }) => (
          <li key={`${line} ${column}`} className="wrap-anywhere">
            Line {line}
            {column && `, ${column}`}: {message}
          </li>
        ))}
        {rest > 0 && <li>… and {rest} more.</li>}
      </ul>
    </Notice>
  );
}
