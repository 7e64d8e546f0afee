import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Quantity } from "@/components/ui/values/quantity";
import type { AccessRefusal } from "@/lib/contract/operations/audit/access-refusals";
import { describeCaller, describeOperation, describeReason } from "./refusal-words";

/** @param projectNames names by project id. */
export function refusalColumns(projectNames: ReadonlyMap<string, string>): readonly Column<AccessRefusal>[] {
  return [
    {
      id: "time",
      header: "Time",
      apiName: "first_at",
      width: "w-32",
      cell: ({ first_at }) => <ClockTime at={first_at} />,
    },
    {
      id: "caller",
      header: "Who",
      apiName: "caller",
      width: "w-56",
      cell: (row) => <Who {...row} />,
    },
    {
      id: "operation",
      header: "What",
      apiName: "operation",
      cell: (row) => <What row={row} projectNames={projectNames} />,
    },
    { id: "reason", header: "Reason", apiName: "code", width: "w-52", cell: describeReason },
    {
      id: "refusals",
      header: "Refusals",
      apiName: "refusals",
      numeric: true,
      width: "w-24",
      cell: ({ refusals }) => <Quantity value={refusals} />,
    },
    {
      id: "from",
      header: "From",
      apiName: "ip_address",
      width: "w-36",
      wide: true,
      cell: ({ ip_address, operation }) => (
        <code className="font-mono text-sm wrap-anywhere text-muted">
          {ip_address ?? (operation === null ? "several" : "not known")}
        </code>
      ),
    },
  ];
}

function Who(row: AccessRefusal) {
  const { name, note } = describeCaller(row);
  return (
    <span className="wrap-anywhere">
      {row.caller ? name : <span className="text-muted">{name}</span>}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  );
}

function What({ row, projectNames }: { row: AccessRefusal; projectNames: ReadonlyMap<string, string> }) {
  const { project_id: id } = row;
  return (
    <span className="wrap-anywhere">
      {describeOperation(row)}
      {id && <span className="text-muted"> in {projectNames.get(id) ?? id}</span>}
    </span>
  );
}
