import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";

type Caller = Pick<LoggedRequest, "project_id" | "project_name" | "key_id" | "key_name">;

/** The names of a call's project and key in a row. Each has a line if it is long; the receipt has them whole. */
export function ProjectAndKey({ project_id, project_name, key_id, key_name }: Caller) {
  const [project, key] = [project_name ?? project_id, key_name ?? key_id];
  return (
    <span className="flex min-w-0 flex-wrap gap-x-1" title={`${project} · ${key}`}>
      <bdi className="line-clamp-1 max-w-full wrap-anywhere">{project}</bdi>
      <span className="line-clamp-1 max-w-full wrap-anywhere text-muted">
        ·{"\u00a0"}
        <bdi>{key}</bdi>
      </span>
    </span>
  );
}
