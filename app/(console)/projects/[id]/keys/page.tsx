import { KeyScreen } from "@/app/(console)/keys/key-screen";
import { ServiceAccountSection } from "@/app/(console)/keys/service-accounts/service-account-section";
import { keyReads, keyUsageRead, serviceAccountRead } from "@/components/keys/key-reads";
import { OneProjectPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { thirtyDaysBefore } from "@/components/usage/compute-period-starts";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";

export const metadata = { title: "Keys" };

export default function KeysPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <OneProjectPage
      params={params}
      title="Keys"
      sentence="Programs call models with a project’s key, within the project’s limits."
      to="list the keys"
      lacking="list or create keys"
      instead="It has no operation for them. Ask whoever runs it for a key."
      without="Every key belongs to a project, whose limits hold for it."
      permission="api.project_api_keys.read"
    >
      {({ project, session: { me, mayInProject } }) => {
        const usageSince = mayInProject("api.usage.read") ? thirtyDaysBefore(nowSeconds()) : null;
        const seesAccounts = mayInProject("api.service_accounts.read");
        const accounts = seesAccounts ? [serviceAccountRead(project.id)] : [];
        const usage = usageSince === null ? [] : [keyUsageRead(project.id, usageSince)];
        return (
          <Prefetched reads={[...Object.values(keyReads(project.id)), ...usage, ...accounts]}>
            <KeyScreen
              key={project.id}
              project={project}
              baseUrl={environment().gateway.baseUrl}
              canWrite={mayInProject("api.project_api_keys.write")}
              usageSince={usageSince}
              canFind={holdsInOrganization(me, "api.project_api_keys.read")}
            />
            {seesAccounts && (
              <div className="mt-10">
                <ServiceAccountSection
                  key={`accounts of ${project.id}`}
                  project={project}
                  baseUrl={environment().gateway.baseUrl}
                  canWrite={mayInProject("api.service_accounts.write")}
                />
              </div>
            )}
          </Prefetched>
        );
      }}
    </OneProjectPage>
  );
}
