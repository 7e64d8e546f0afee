import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { ObjectPage } from "../../object-page";
import { ReceiptScreen } from "../receipt/receipt-screen";

export const metadata = { title: "Call" };

export default function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <>
          <PageHead title="Call" />
          <UnsupportedState operation="see a call" endpoint="GET /organization/requests/{request_id}" />
        </>
      }
    >
      {({ id }) => ({
        reads: [["retrieveRequest", { request_id: id }]],
        screen: (
          <Page>
            <ReceiptScreen key={id} id={id} />
          </Page>
        ),
      })}
    </ObjectPage>
  );
}
