import { Prefetched } from "@/app/queries/prefetched";
import { nowInSeconds } from "@/components/table/time-range";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../../session-data";
import { lastMonthRead } from "../last-month";
import { ModelScreen } from "../model-screen";
import { modelReads } from "../reads-of-models";
import { UnsupportedModels } from "../unsupported-models";

export const metadata = { title: "Model" };

export default async function ModelPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const modelId = decodeURIComponent((await params).id);
  const { offer, me, mayInProject } = await sessionData();
  if (offer === "specification") return <UnsupportedModels />;
  const [models] = modelReads;
  const lastMonth = mayInProject("api.usage.read") ? lastMonthRead(modelId, nowInSeconds()) : null;
  return (
    <Prefetched reads={[models, ...(lastMonth ? [lastMonth] : [])]}>
      <ModelScreen
        key={modelId}
        modelId={modelId}
        baseUrl={environment().gateway.baseUrl}
        lastMonth={lastMonth}
        canWrite={me?.permissions.includes("api.models.write") ?? true}
      />
    </Prefetched>
  );
}
