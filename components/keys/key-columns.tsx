import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/shown-time";

/** The fields that all kinds of keys share. */
type ListedKey = {
  readonly redacted_value: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
};

/** Columns shared by all lists of keys, by id. */
export const keyColumns = {
  value: {
    id: "value",
    header: "Key",
    apiName: "redacted_value",
    cell: (key) => <code className="font-mono text-sm text-muted">{key.redacted_value}</code>,
  },
  created: {
    id: "created",
    header: "Created",
    apiName: "created_at",
    sortValue: (key) => key.created_at,
    cell: (key) => <RelativeTime at={key.created_at} />,
  },
  used: {
    id: "used",
    header: "Last used",
    apiName: "last_used_at",
    sortValue: (key) => key.last_used_at ?? 0,
    cell: (key) =>
      key.last_used_at === null ? (
        <span className="text-muted">never</span>
      ) : (
        <RelativeTime at={key.last_used_at} />
      ),
  },
  expires: {
    id: "expires",
    header: "Expires",
    apiName: "expires_at",
    sortValue: (key) => key.expires_at ?? Number.POSITIVE_INFINITY,
    cell: (key) =>
      key.expires_at === null ? (
        <span className="text-muted">never</span>
      ) : (
        <RelativeTime at={key.expires_at} />
      ),
  },
} satisfies Readonly<Record<string, Column<ListedKey>>>;
