import { modelReads } from "@/components/models/model-reads";
import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { unsupportedModels } from "../../unsupported-models";
import { routeActivityRead, routesRead } from "./route-reads";
import { RoutesScreen } from "./routes-screen";

export const metadata = { title: "Routes" };

export default function RoutesPage({ params }: Pick<ObjectPageProps, "params">) {
  return (
    <ObjectPage params={params} unsupported={unsupportedModels}>
      {({ id, may }) => {
        const seesActivity = may("api.providers.read");
        return {
          reads: [routesRead(id), modelReads.models, ...(seesActivity ? (["listProviders"] as const) : [])],
          ...(seesActivity && { slowReads: [routeActivityRead(id)] }),
          screen: (
            <RoutesScreen
              key={id}
              modelId={id}
              seesActivity={seesActivity}
              canWrite={may("api.models.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
