import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { ObjectPage, rightsAndProjects } from "../../object-page";
import { BatchPage } from "../batch-page";

export const metadata = { title: "Batch" };

export default function OneBatchPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <>
          <PageHead title="Batch" />
          <UnsupportedState operation="see a batch" endpoint="GET /batches/{batch_id}" />
        </>
      }
    >
      {({ id, session }) => ({
        reads: [["retrieveBatch", { batch_id: id }]],
        screen: (
          <Page>
            <BatchPage key={id} id={id} viewer={rightsAndProjects(session)} />
          </Page>
        ),
      })}
    </ObjectPage>
  );
}
