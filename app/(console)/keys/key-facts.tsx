import { Fact, Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { endpointOptions, toKeyScopeForm } from "./key-scope";
import { roleNames } from "./service-account-roles";

const makers = { user: "", admin_api_key: ", an admin key", project_api_key: ", a project key" };

/** A key's properties. */
export function KeyFacts({ target }: { target: ProjectApiKey }) {
  const { created_by: maker, owner, models, rotated_from: rotatedFrom } = target;
  const { endpoints } = toKeyScopeForm(target);
  const role = owner.service_account.role as keyof typeof roleNames;
  return (
    <Facts>
      <Fact name="Key">
        <code className="font-mono text-sm">{target.redacted_value}</code>
      </Fact>
      <Fact name="Role">{roleNames[role] ?? role}</Fact>
      <Fact name="Created">
        <RelativeTime at={target.created_at} />
        {maker && ` by ${maker.name}${makers[maker.type]}`}
      </Fact>
      <Fact name="Last used">
        {target.last_used_at === null ? "never" : <RelativeTime at={target.last_used_at} />}
      </Fact>
      <Fact name="Expires">
        {target.expires_at === null ? "never" : <RelativeTime at={target.expires_at} />}
      </Fact>
      <Fact name="Endpoints">
        {endpointOptions(endpoints).find(({ value }) => value === endpoints)?.label}
      </Fact>
      <Fact name="Models">
        {models === null ? (
          "Every model that its project may call"
        ) : (
          <span className="font-mono text-sm">{models.join(", ")}</span>
        )}
      </Fact>
      {rotatedFrom && (
        <Fact name="Takes the place of">
          <code className="font-mono text-sm break-all">{rotatedFrom}</code>
        </Fact>
      )}
    </Facts>
  );
}
