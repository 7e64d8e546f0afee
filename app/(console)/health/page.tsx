import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { sessionData } from "../session-data";
import { HealthScreen } from "./health-screen";

export const metadata = { title: "Health" };

export default async function HealthPage() {
  await requireSession();
  const { support, me } = await sessionData();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Health" />
        <UnsupportedState operation="see how providers answer" endpoint="GET /organization/health" />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        title="Health"
        sentence="How models and providers have answered in the last 24 hours, and what failed last."
      />
      <Prefetched reads={["retrieveHealth"]}>
        <HealthScreen canChange={me?.permissions.includes("api.providers.write") ?? true} />
      </Prefetched>
    </Page>
  );
}
