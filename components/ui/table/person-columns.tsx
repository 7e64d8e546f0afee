import { Badge } from "../badge";
import type { Column } from "./column";

type Person = { id: string; name: string; email: string; deactivated_at?: number | null };

/**
 * The name and address of members.
 * @param ownId the signed-in member, who is marked.
 */
export function personColumns<Row extends Person>(ownId: string | null = null): readonly Column<Row>[] {
  return [
    {
      id: "name",
      header: "Name",
      sortValue: ({ name }) => name,
      cell: ({ id, name, deactivated_at: deactivatedAt }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
          {name}
          {id === ownId && <Badge>you</Badge>}
          {deactivatedAt && <Badge>deactivated</Badge>}
        </span>
      ),
    },
    {
      id: "email",
      header: "Email",
      sortValue: ({ email }) => email,
      cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
    },
  ];
}
