import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../../session-data";
import { ReceiptScreen } from "../receipt-screen";

export const metadata = { title: "Call" };

export default async function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const id = decodeURIComponent((await params).id);
  const { offer } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <PageHead title="Call" />
        <UnsupportedState operation="see a call" endpoint="GET /organization/requests/{request_id}" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[["retrieveRequest", { request_id: id }]]}>
        <ReceiptScreen key={id} id={id} />
      </Prefetched>
    </Page>
  );
}
