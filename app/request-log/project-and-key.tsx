import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";

type Caller = Pick<LoggedRequest, "project_id" | "project_name" | "key_id" | "key_name">;

/** The names of a call's project and key in a row. Long ones are cut after two lines; the receipt has them whole. */
export function ProjectAndKey({ project_id, project_name, key_id, key_name }: Caller) {
  const [project, key] = [project_name ?? project_id, key_name ?? key_id];
  return (
    <span className="line-clamp-2 wrap-anywhere" title={`${project} · ${key}`}>
      <bdi>{project}</bdi> <span className="text-muted">· {key}</span>
    </span>
  );
}
