"use client";

import { X } from "lucide-react";
import { useRead } from "@/app/queries/use-read";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { Button } from "@/components/ui/button";
import { entryKinds } from "../ledger-entry-columns";

/** Which entries are listed, kept in the address. */
export function LedgerFilters() {
  const [kind, setKind] = useUrlParameter("kind");
  const [model, setModel] = useUrlParameter("model");
  const [requestId, setRequestId] = useUrlParameter("request_id");
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  const ids = models.map(({ id }) => id);
  return (
    <>
      <Choice
        label="Kind"
        value={kind}
        onChange={setKind}
        options={Object.entries(entryKinds).map(([value, label]) => ({ value, label }))}
        all="All kinds"
      />
      <Choice
        label="Model"
        value={model}
        onChange={setModel}
        options={(model && !ids.includes(model) ? [model, ...ids] : ids).map((id) => ({
          value: id,
          label: id,
        }))}
        all="All models"
      />
      {requestId && (
        <Button size="small" onClick={() => setRequestId("")}>
          <span className="max-w-48 truncate font-mono text-xs">{requestId}</span>
          <X aria-hidden />
          <span className="sr-only">Show every request</span>
        </Button>
      )}
    </>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  all: string;
};

function Choice({ label, value, onChange, options, all }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      className="field h-8 w-auto max-w-56 pointer-coarse:h-11"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
