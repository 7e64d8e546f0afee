import { CsvLink } from "@/components/queries/exports/csv-link";
import { Badge } from "@/components/ui/badge";
import { findByNameOrId } from "@/components/ui/search/find-by-name-or-id";
import type { Column } from "@/components/ui/table/column";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { buildExportUrl, type ReadReply } from "@/lib/console/reads/reads";
import type { Group } from "@/lib/contract/operations/people/groups";

type Holders = ReadReply<"listRoleHolders">;
type GroupListProps = {
  groups: readonly Group[];
  further: FurtherRows<Group>;
  /** Undefined if they aren't loaded or the person can't see them. */
  holders: Holders | undefined;
};

export function GroupList({ groups, further, holders }: GroupListProps) {
  return (
    <FilteredList
      caption="Groups of the organization"
      columns={columnsWith(holders)}
      rows={groups}
      rowId={({ id }) => id}
      rowHref={({ id }) => paths.group(id)}
      noun="group"
      label="Search groups"
      unfilteredUpTo={10}
      find={findByNameOrId}
      none={(typed) => `No group has “${typed}” in its name or id.`}
      download={<CsvLink href={buildExportUrl("listGroups")} />}
      further={further}
    />
  );
}

const columns: readonly Column<Group>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name, is_scim_managed: isKept }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
        {name}
        {isKept && <Badge>directory</Badge>}
      </span>
    ),
  },
  { id: "id", header: "Id", width: "w-72", cell: ({ id }) => <IdChip id={id} what="group id" /> },
  {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-40",
    sortValue: (group) => group.created_at,
    cell: (group) => <RelativeTime at={group.created_at} />,
  },
];

/** Returns the columns. Includes the number of roles if all holders are known. */
function columnsWith(holders: Holders | undefined): readonly Column<Group>[] {
  if (!holders || holders.has_more) return columns;
  const countHolders = ({ id }: Group) => holders.data.filter(({ holder }) => holder.id === id).length;
  const roles: Column<Group> = {
    id: "roles",
    header: "Roles",
    width: "w-28",
    numeric: true,
    sortValue: countHolders,
    cell: (group) => <Quantity value={countHolders(group)} />,
  };
  return [...columns, roles];
}
