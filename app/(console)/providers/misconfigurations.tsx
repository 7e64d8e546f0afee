import { CircleX } from "lucide-react";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { Provider } from "@/lib/contract/operations/models/providers";

type Misconfiguration = Provider["misconfigured"][number];

const causes: Readonly<Record<Misconfiguration["status"], (model: string) => string>> = {
  401: (model) => `Refuses the gateway’s key for ${model} (401)`,
  402: (model) => `Answers no call of ${model}: the account has no credit left (402)`,
  403: (model) => `Forbids ${model} to the gateway’s key (403)`,
  404: (model) => `Knows no model ${model} at this address (404)`,
  429: (model) => `Answers no call of ${model}: the account has no credit left (429)`,
};

/** Explains why calls to a provider fail until its key, address or a route is fixed. */
export function Misconfigurations({ misconfigured }: Pick<Provider, "misconfigured">) {
  if (misconfigured.length === 0) return null;
  return (
    <ul className="mt-1 space-y-1 text-sm text-danger">
      {misconfigured.map(({ model, status, at }) => (
        <li key={model} className="flex gap-1.5">
          <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="break-words">
            {causes[status](model)}, <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
