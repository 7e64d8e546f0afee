import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";

type WhoSectionProps = { me: Me; projects: readonly { id: string; name: string }[] };

/** Who is signed in, and with which permissions. */
export function WhoSection({ me, projects }: WhoSectionProps) {
  const { name, user, organization, roles, project_permissions: held } = me;
  return (
    <Section title={user ? "You" : "Admin key"}>
      {!user && (
        <Notice title="This session was opened with an admin key">
          It acts for the key, not for a member, and has no password and no two-factor sign-in. Sign in as a
          member to manage your own.
        </Notice>
      )}
      <Facts isStacked>
        <Fact name="Name">{name}</Fact>
        {user && <Fact name="Email">{user.email}</Fact>}
        <Fact name={`Roles in ${organization.name}`}>
          {roles.length === 0 ? (
            <span className="text-muted">none in the whole organization</span>
          ) : (
            <span className="flex flex-wrap gap-1.5">
              {roles.map((role) => (
                <Badge key={role.id}>{role.name}</Badge>
              ))}
            </span>
          )}
        </Fact>
        {held.length > 0 && (
          <Fact name="In projects">
            <ul className="grid gap-1">
              {held.map(({ project_id, permissions }) => (
                <li key={project_id}>
                  <HeldInProject
                    project={projects.find(({ id }) => id === project_id)?.name ?? project_id}
                    permissions={permissions}
                  />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function HeldInProject({ project, permissions }: { project: string; permissions: readonly string[] }) {
  const count = `${permissions.length} ${permissions.length === 1 ? "permission" : "permissions"}`;
  return (
    <details>
      <summary className="rounded-sm pointer-coarse:py-3">
        {project} <span className="text-muted">· {count}</span>
      </summary>
      <ul className="mt-1 mb-2 grid max-w-2xl gap-x-6 pl-4 sm:grid-cols-2">
        {permissions.map((permission) => (
          <li key={permission}>
            <code className="font-mono text-sm break-all text-muted">{permission}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
