import { DetailPage, toViewer } from "@/components/object-page/object-page";
import { BatchPage } from "../batch-page";

export const metadata = { title: "Batch" };

export default function OneBatchPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DetailPage
      params={params}
      title="Batch"
      to="see a batch"
      endpoint="GET /batches/{batch_id}"
      reads={({ id }) => [["retrieveBatch", { batch_id: id }]]}
    >
      {async ({ id, session }) => <BatchPage key={id} id={id} viewer={await toViewer(session)} />}
    </DetailPage>
  );
}
