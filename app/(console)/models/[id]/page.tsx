import { modelReads } from "@/components/models/model-reads";
import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { environment } from "@/lib/console/environment";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { ModelScreen } from "../model-screen";
import { lastMonthRead, lastMonthUnitsRead } from "../prices/last-month";
import { priceHistoryRead, scheduledPricesRead } from "../scheduled/price-reads";
import { unsupportedModels } from "../unsupported-models";

export const metadata = { title: "Model" };

export default function ModelPage({ params }: Pick<ObjectPageProps, "params">) {
  return (
    <ObjectPage params={params} unsupported={unsupportedModels}>
      {({ id: modelId, session: { me, mayInProject }, may }) => {
        const now = nowSeconds();
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
        return {
          reads,
          screen: (
            <ModelScreen
              key={modelId}
              modelId={modelId}
              baseUrl={environment().gateway.baseUrl}
              lastMonth={lastMonth}
              openedAt={now}
              seesHistory={seesHistory}
              canWrite={may("api.models.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
