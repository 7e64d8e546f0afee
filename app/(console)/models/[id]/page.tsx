import { Prefetched } from "@/app/queries/prefetched";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../../session-data";
import { ModelScreen } from "../model-screen";
import { modelReads } from "../reads-of-models";
import { UnsupportedModels } from "../unsupported-models";

export const metadata = { title: "Model" };

export default async function ModelPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const modelId = decodeURIComponent((await params).id);
  const { offer, me } = await sessionData();
  if (offer === "specification") return <UnsupportedModels />;
  const [models] = modelReads;
  return (
    <Prefetched reads={[models]}>
      <ModelScreen
        key={modelId}
        modelId={modelId}
        baseUrl={environment().gateway.baseUrl}
        canWrite={me?.permissions.includes("api.models.write") ?? true}
      />
    </Prefetched>
  );
}
