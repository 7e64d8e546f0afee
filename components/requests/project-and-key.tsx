import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";

type Caller = Pick<LoggedRequest, "project_id" | "project_name" | "key_id" | "key_name">;

/**
 * The names of a call's project and key in a row. Each has a line if it is long; the receipt has them whole. The dot
 * between them stands in the margin, which is cut off where the key begins a line.
 */
export function ProjectAndKey({ project_id, project_name, key_id, key_name }: Caller) {
  const [project, key] = [project_name ?? project_id, key_name ?? key_id];
  return (
    <span className="block min-w-0 overflow-hidden" title={`${project} · ${key}`}>
      <span className="-ml-3 flex flex-wrap">
        <bdi className="line-clamp-1 max-w-full pl-3 wrap-anywhere">{project}</bdi>
        <span className="relative line-clamp-1 max-w-full pl-3 wrap-anywhere text-muted">
          <span className="absolute left-1">·{"\u00a0"}</span>
          <bdi>{key}</bdi>
        </span>
      </span>
    </span>
  );
}
