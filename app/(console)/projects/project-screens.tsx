"use client";

import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { MayInProject } from "./project-tabs";

type ScreenOfProject = { label: string; href: (id: string) => string; permissions: readonly Permission[] };

/** What belongs to a project and has its own screen. Those of calls are open for an archived project as well. */
const screens: readonly ScreenOfProject[] = [
  { label: "Keys", href: paths.keys, permissions: ["api.project_api_keys.read"] },
  { label: "Rate limits", href: paths.rateLimits, permissions: ["api.rate_limits.read"] },
  {
    label: "Spend limit and alerts",
    href: paths.spendLimits,
    permissions: ["api.spend_limits.read", "api.spend_alerts.read"],
  },
  { label: "Roles", href: paths.roles, permissions: ["api.roles.read"] },
  { label: "Requests", href: (id) => paths.requests({ project_id: id }), permissions: ["api.requests.read"] },
  { label: "Usage", href: (id) => paths.usage({ project_id: id }), permissions: ["api.usage.read"] },
];

/** Links to the screens that show this project. */
export function ProjectScreens({ project, may }: { project: Project; may: MayInProject }) {
  const shown = screens.filter(({ permissions }) => permissions.some(may));
  if (shown.length === 0) return null;
  return (
    <nav aria-label="More of this project" className="-mt-3 mb-5 text-sm">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map(({ label, href }) => (
          <li key={label}>
            <TextLink href={href(project.id)}>{label}</TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
