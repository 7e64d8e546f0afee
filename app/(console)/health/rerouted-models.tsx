import { Skeleton } from "@/components/ui/states/skeleton";
import type { ReroutedModel } from "./find-rerouted-models";

const MAX_MODELS_SHOWN = 3;

/** What happens to the calls of each model while a circuit is open. */
export function ReroutedModels({ models }: { models: readonly ReroutedModel[] | undefined }) {
  if (!models) return <Skeleton className="h-5 w-32" />;
  const more = models.length - MAX_MODELS_SHOWN;
  return (
    <span className="grid gap-0.5">
      {models.slice(0, MAX_MODELS_SHOWN).map(({ id, provider }) => (
        <span key={id} className="wrap-anywhere">
          <span className="font-mono text-sm">{id}</span>{" "}
          {provider === null ? (
            <span className="text-danger">refused</span>
          ) : (
            <span className="text-muted">sent to {provider}</span>
          )}
        </span>
      ))}
      {more > 0 && (
        <span className="text-muted">
          and {more} more {more === 1 ? "model" : "models"}
        </span>
      )}
    </span>
  );
}
