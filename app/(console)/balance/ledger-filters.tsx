"use client";

import { X } from "lucide-react";
import { useRead } from "@/app/queries/use-read";
import { Choice } from "@/components/table/filter-fields";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { Button } from "@/components/ui/button";
import { entryKinds } from "../ledger-entry-columns";

/** Which entries are listed, kept in the address. */
export function LedgerFilters() {
  const [requestId, setRequestId] = useUrlParameter("request_id");
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <>
      <Choice
        label="Kind"
        parameter="kind"
        all="All kinds"
        options={Object.entries(entryKinds).map(([value, label]) => ({ value, label }))}
      />
      <Choice
        label="Model"
        parameter="model"
        all="All models"
        options={models.map(({ id }) => ({ value: id, label: id }))}
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
