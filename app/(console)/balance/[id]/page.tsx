import { EntryScreen } from "@/app/(console)/balance/entry/entry-state";
import { DetailPage } from "@/components/object-page/object-page";

export const metadata = { title: "Ledger entry" };

export default function EntryPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DetailPage
      params={params}
      title="Ledger entry"
      to="see a ledger entry"
      endpoint="GET /organization/ledger/{entry_id}"
      reads={({ id }) => [["retrieveLedgerEntry", { entry_id: id }]]}
    >
      {({ id, may }) => <EntryScreen key={id} id={id} canCorrect={may("api.corrections.write")} />}
    </DetailPage>
  );
}
