import { groupPermissions } from "@/components/roles/permission-groups";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { permissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";

/** A role's permissions, read-only. */
export function RolePermissions({ role }: { role: Role }) {
  return (
    <div className="max-w-[720px]">
      <Section
        title="Permissions"
        description={
          <>
            {role.permissions.length} of {permissions.length}
            {role.predefined_role && ". A predefined role can be neither changed nor deleted, only copied."}
          </>
        }
      >
        <Card flush>
          {groupPermissions(role.permissions).map(({ heading, options }) => (
            <section key={heading} aria-label={heading} className="border-b last:border-b-0">
              <h3 className="flex h-9 items-center bg-default-soft px-3 text-sm font-medium">{heading}</h3>
              <ul>
                {options.map(({ value, sentence }) => (
                  <li key={value} className="gap-x-6 px-3 py-2 sm:flex sm:items-baseline sm:justify-between">
                    <span className="block">{sentence}</span>
                    <code className="font-mono text-xs text-muted sm:whitespace-nowrap">{value}</code>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </Card>
      </Section>
    </div>
  );
}
