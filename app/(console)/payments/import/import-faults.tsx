import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/components/ui/values/group-digits";
import { MAX_IMPORTED_PAYMENTS } from "@/lib/contract/operations/money/payment-import";
import type { PaymentFault } from "./parse-payments";
import { countPayments } from "./plan-import";

const MAX_LISTED = 20;

/** What has to be mended in the file before anything can be recorded. */
export function ImportFaults({ faults }: { faults: readonly PaymentFault[] }) {
  const rest = faults.length - MAX_LISTED;
  return (
    <Notice
      tone="bad"
      role="status"
      title={`Nothing can be recorded yet: ${formatCount(faults.length)} ${faults.length === 1 ? "value" : "values"} can’t be read`}
    >
      <ul className="grid gap-1">
        {faults.slice(0, MAX_LISTED).map(({ line, column, message }) => (
          <li key={`${line} ${column}`} className="wrap-anywhere">
            Line {line}
            {column && `, ${column}`}: {message}
          </li>
        ))}
        {rest > 0 && <li>… and {formatCount(rest)} more.</li>}
      </ul>
    </Notice>
  );
}

/** Says how many files a file with more payments than one import records has to become. */
export function TooManyPayments({ count }: { count: number }) {
  const files = formatCount(Math.ceil(count / MAX_IMPORTED_PAYMENTS));
  return (
    <Notice
      tone="bad"
      role="status"
      title={`Nothing can be recorded yet: the file has ${countPayments(count)}, and one import records at most ${formatCount(MAX_IMPORTED_PAYMENTS)}`}
    >
      Split it into {files} files, each beginning with the line that names the columns. Payments that two
      files have in common are found, and left out of the second.
    </Notice>
  );
}
