import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { ObjectPage } from "../../object-page";
import { EventScreen } from "../event-screen";

export const metadata = { title: "Event" };

export default function AuditLogPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <>
          <PageHead title="Event" />
          <UnsupportedState operation="see a change" endpoint="GET /organization/audit_logs/{audit_log_id}" />
        </>
      }
    >
      {({ id }) => ({
        reads: [["retrieveAuditLog", { audit_log_id: id }]],
        screen: (
          <Page>
            <EventScreen key={id} id={id} />
          </Page>
        ),
      })}
    </ObjectPage>
  );
}
