import { ReceiptScreen } from "@/app/(console)/requests/receipt/receipt-summary";
import { DetailPage } from "@/components/object-page/object-page";
import { holdsAnywhere } from "@/lib/console/permissions-in";

export const metadata = { title: "Call" };

export default function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DetailPage
      params={params}
      title="Call"
      to="see a call"
      endpoint="GET /organization/requests/{request_id}"
      reads={({ id, session }) => {
        const isOwnOnly = !holdsAnywhere(session.me, "api.requests.read");
        return [[isOwnOnly ? "retrieveOwnRequest" : "retrieveRequest", { request_id: id }]];
      }}
    >
      {({ id, session }) => (
        <ReceiptScreen key={id} id={id} isOwnOnly={!holdsAnywhere(session.me, "api.requests.read")} />
      )}
    </DetailPage>
  );
}
