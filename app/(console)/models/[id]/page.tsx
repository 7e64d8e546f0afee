import { modelReads } from "@/app/model-choice/model-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { readNowSeconds } from "@/components/filters/time-range";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { ModelScreen } from "../model-screen";
import { lastMonthRead, lastMonthUnitsRead } from "../prices/last-month";
import { priceHistoryRead, scheduledPricesRead } from "../scheduled/price-reads";
import { UnsupportedModels } from "../unsupported-models";

export const metadata = { title: "Model" };

export default async function ModelPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const modelId = decodeURIComponent((await params).id);
  const { support, me, mayInProject } = await sessionData();
  if (support === "specification") return <UnsupportedModels />;
  const now = readNowSeconds();
  const lastMonth = mayInProject("api.usage.read")
    ? { tokens: lastMonthRead(modelId, now), units: lastMonthUnitsRead(modelId, now) }
    : null;
  const seesHistory = isKnownToHold(me, "api.audit_logs.read");
  const reads = [
    modelReads.models,
    scheduledPricesRead(modelId),
    ...(seesHistory ? [priceHistoryRead(modelId)] : []),
    ...(lastMonth ? [lastMonth.tokens, lastMonth.units] : []),
  ];
  return (
    <Prefetched reads={reads}>
      <ModelScreen
        key={modelId}
        modelId={modelId}
        baseUrl={environment().gateway.baseUrl}
        lastMonth={lastMonth}
        seesHistory={seesHistory}
        canWrite={holdsInOrganization(me, "api.models.write")}
      />
    </Prefetched>
  );
}
