"use client";

import { KeyFilter, useMemberOptions } from "@/components/filters/filter-choices";
import { providerOptions } from "@/components/filters/provider-options";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { labelCheck, refusingChecks } from "@/components/requests/describe-outcome";
import { AmountFilter } from "@/components/ui/filters/amount-filter";
import { CheckedTextFilter } from "@/components/ui/filters/checked-text-filter";
import { SelectFilter, TextFilter, Titled } from "@/components/ui/filters/filter-fields";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { parseMilliseconds, parseStatus } from "./request-filter";

/** The less common filters. */
export function FurtherFilters() {
  const [project] = useUrlParameter("project_id");
  const [provider] = useUrlParameter("provider");
  const { options: members, search } = useMemberOptions();
  const models = useRead(...wholeList("listOrganizationModels")).data?.data ?? [];
  return (
    <>
      <Titled title="Refused by">
        <SelectFilter
          label="Refused by"
          parameter="refused_by"
          all="Any check"
          options={refusingChecks.map((check) => ({ value: check, label: labelCheck(check) }))}
        />
      </Titled>
      <Titled title="Provider">
        <SelectFilter
          label="Provider"
          parameter="provider"
          all="All providers"
          options={providerOptions(models, provider)}
        />
      </Titled>
      <Titled title="Member">
        <SelectFilter label="Member" parameter="user_id" all="Anybody" options={members} search={search} />
      </Titled>
      {project === "" ? (
        <TextFilter label="Key id" parameter="api_key_id" placeholder="key_…" />
      ) : (
        <Titled title="Key">
          <KeyFilter parameter="api_key_id" />
        </Titled>
      )}
      <CheckedTextFilter
        label="Status"
        parameter="status"
        placeholder="Such as 429"
        inputMode="numeric"
        parse={parseStatus}
      />
      <AmountFilter label="Cost at least" parameter="min_amount" placeholder="Such as 0.01" />
      <CheckedTextFilter
        label="Duration at least, ms"
        parameter="min_duration_ms"
        placeholder="Such as 1000"
        inputMode="numeric"
        parse={parseMilliseconds}
      />
      <TextFilter label="Request id" parameter="request_id" placeholder="req_… or txn_…" />
      <TextFilter label="Batch id" parameter="batch_id" placeholder="batch_…" />
    </>
  );
}
