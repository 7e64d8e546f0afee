"use client";

import { useId, useState } from "react";
import { listCallableModels } from "@/components/models/list-models";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { CodeBlock } from "@/components/ui/text/code-block";
import { clientSnippets } from "@/lib/console/snippets/client-snippets";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

type ConnectClientProps = {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** Those to choose from, of which chat models are offered. */
  models: readonly OrganizationModel[];
  /** The model that is chosen at first. */
  modelId: string;
  /** Without it, the code reads the key from the environment. */
  apiKey?: string;
};

/** The whole configuration of a client, for a key and a model. */
export function ConnectClient({ baseUrl, models, modelId, apiKey }: ConnectClientProps) {
  const id = useId();
  const [chosenModel, setChosenModel] = useState<string | null>(null);
  const [client, setClient] = useState("opencode");
  const model = chosenModel ?? modelId;
  const offered = listCallableModels(models);
  const known = models.find((one) => one.id === model);
  const snippets = clientSnippets({
    baseUrl,
    model,
    apiKey,
    contextWindow: known?.context_window ?? null,
    maxOutputTokens: known?.max_output_tokens ?? null,
  });
  const snippet = snippets.find((one) => one.id === client) ?? snippets[0];
  return (
    <div className="grid min-w-0 gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-client`} className="font-medium">
            Client
          </label>
          <ChoiceSelect
            label="Client"
            id={`${id}-client`}
            value={client}
            options={snippets.map((one) => ({ value: one.id, label: one.label }))}
            choose={setClient}
          />
        </div>
        <div className="grid min-w-0 gap-1.5">
          <label htmlFor={`${id}-model`} className="font-medium">
            Model
          </label>
          <ChoiceSelect
            label="Model"
            id={`${id}-model`}
            value={model}
            options={offered.map((one) => ({ value: one.id, label: one.id }))}
            choose={setChosenModel}
          />
        </div>
      </div>
      {snippet && (
        <>
          <p className="text-sm wrap-anywhere text-muted">{snippet.place}</p>
          <CodeBlock code={snippet.code} what={`${snippet.label} configuration`} />
        </>
      )}
    </div>
  );
}
