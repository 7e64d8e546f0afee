import { DetailPage } from "@/components/object-page/object-page";
import { EntryScreen } from "../entry/entry-screen";

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
