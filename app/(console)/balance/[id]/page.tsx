import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { sessionData } from "../../session-data";
import { EntryScreen } from "../entry-screen";

export const metadata = { title: "Ledger entry" };

export default async function EntryPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const id = decodeURIComponent((await params).id);
  const { support, me } = await sessionData();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Ledger entry" />
        <UnsupportedState operation="see a ledger entry" endpoint="GET /organization/ledger/{entry_id}" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[["retrieveLedgerEntry", { entry_id: id }]]}>
        <EntryScreen
          key={id}
          id={id}
          mayCorrect={me?.permissions.includes("api.corrections.write") ?? true}
        />
      </Prefetched>
    </Page>
  );
}
